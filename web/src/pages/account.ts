// Who one is: a name for guests, an account for those who want their rating kept.

import { html, nothing, type TemplateResult } from "lit";
import { api } from "../api";
import { attempt, Part, toast } from "../parts/part";
import type { Me } from "../protocol";
import { settings } from "../settings";
import { t } from "../words";
import "./pages.css";

class Account extends Part {
  static override properties = { me: { state: true }, token: { state: true } };
  declare me: Me | null;
  declare token: string;

  constructor() {
    super();
    this.me = null;
    this.token = "";
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.load();
  }

  private load(): Promise<void> {
    return attempt(async () => {
      this.me = await api.me();
    });
  }

  private rename(event: SubmitEvent): void {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    if (!name) return;
    settings.set({ name });
    void attempt(async () => {
      this.me = await api.changeMe({ name });
      toast(t("Saved."));
    });
  }

  private enter(event: SubmitEvent): void {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const name = String(form.get("name"));
    const password = String(form.get("password"));
    const fresh = (event.submitter as HTMLButtonElement).value === "new";
    void attempt(async () => {
      await (fresh ? api.register(name, password) : api.logIn(name, password));
      await this.load();
    });
  }

  override render(): TemplateResult {
    return html`<section class="plain-page">
      <h1>${t("Account")}</h1>
      ${this.me ? (this.me.account ? this.known(this.me.account.name) : this.guest(this.me)) : nothing}
    </section>`;
  }

  private guest(me: Me): TemplateResult {
    return html`
      <form class="card" @submit=${this.rename}>
        <h2>${t("Your name")}</h2>
        <p>${t("Others see it at the board. You need no account to play.")}</p>
        <div class="row">
          <input
            name="name"
            maxlength="30"
            autocomplete="nickname"
            aria-label=${t("Your name")}
            .value=${me.name ?? settings.now.name}
          />
          <button class="primary">${t("Save")}</button>
        </div>
      </form>
      <form class="card" @submit=${this.enter}>
        <h2>${t("With an account")}</h2>
        <p>${t("An account keeps your games and your rating, on every device.")}</p>
        <label class="field"
          ><span>${t("Name")}</span
          ><input name="name" required minlength="2" maxlength="20" autocomplete="username"
        /></label>
        <label class="field"
          ><span>${t("Password (at least 8 characters)")}</span
          ><input
            name="password"
            type="password"
            required
            minlength="8"
            autocomplete="current-password"
        /></label>
        <div class="row">
          <button class="primary" value="old">${t("Log in")}</button>
          <button value="new">${t("Create an account")}</button>
        </div>
      </form>
    `;
  }

  private known(name: string): TemplateResult {
    return html`
      <div class="card">
        <h2>${name}</h2>
        <div class="row">
          <a class="button" href="/players/${encodeURIComponent(name)}">${t("My profile")}</a>
          <button
            @click=${() =>
              attempt(async () => {
                await api.logOut();
                await this.load();
              })}
          >
            ${t("Log out")}
          </button>
        </div>
      </div>
      <div class="card">
        <h2>${t("For programs")}</h2>
        <p>${t("With a token a program can play as you. It is shown only once.")}</p>
        <div class="row">
          <button
            @click=${() =>
              attempt(async () => {
                this.token = (await api.token()).token;
              })}
          >
            ${t("Make a token")}
          </button>
          <button
            @click=${() =>
              attempt(async () => {
                await api.dropTokens();
                this.token = "";
                toast(t("All tokens are void now."));
              })}
          >
            ${t("Revoke all")}
          </button>
        </div>
        ${this.token ? html`<input class="token" readonly .value=${this.token} aria-label=${t("Token")} />` : nothing}
      </div>
    `;
  }
}

customElements.define("sumito-account", Account);

// The account page: a name for guests; sign-up, sign-in, API tokens and game upload for accounts.

import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { ApiError, api } from "../client/api";
import { userSession } from "../client/session";
import { t, tn } from "../domain/i18n";
import { attempt, toast } from "../domain/messages";
import type { Me } from "../domain/protocol";
import { settings } from "../storage/preferences";
import { BaseElement } from "../ui/element";
import { switchField } from "../ui/form-controls";
import { loadError } from "../ui/placeholders";
import "../ui/pages.css";

class Account extends BaseElement {
  @state() token = "";
  @state() problem: { readonly field: string; readonly text: string } | null = null;
  /** Why nothing can be shown. */
  @state() failed = "";

  override connectedCallback(): void {
    super.connectedCallback();
    userSession.addEventListener("change", this.changed);
    void this.load();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    userSession.removeEventListener("change", this.changed);
  }

  private readonly changed = () => this.requestUpdate();

  private async load(): Promise<void> {
    this.failed = "";
    try {
      await userSession.load();
    } catch (error) {
      this.failed = (error as Error).message;
    }
  }

  private async rename(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const name = String(new FormData(event.target as HTMLFormElement).get("name") ?? "").trim();
    if (!name) return;
    settings.set({ name });
    this.problem = null;
    try {
      await userSession.update({ name });
      toast(t("Saved."));
    } catch (error) {
      this.refused("rename", error);
    }
  }

  private async enter(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = new FormData(event.target as HTMLFormElement);
    const name = String(form.get("name"));
    const password = String(form.get("password"));
    const fresh = (event.submitter as HTMLButtonElement).value === "new";
    this.problem = null;
    if (!NAME.test(name)) {
      this.refused(
        "name",
        t("A name has 2 to 20 letters or digits; dots, dashes and underscores are fine too."),
      );
      return;
    }
    try {
      await (fresh ? userSession.register(name, password) : userSession.logIn(name, password));
    } catch (error) {
      this.refused(isAboutPassword(error) ? "password" : "name", error);
    }
  }

  /** Say it beside the field it is about, and take the person there. */
  private refused(field: string, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.problem = { field, text };
    void this.updateComplete.then(() =>
      this.querySelector<HTMLInputElement>(`[aria-describedby="problem-${field}"]`)?.focus(),
    );
  }

  private problemWith(field: string): TemplateResult | typeof nothing {
    if (this.problem?.field !== field) return nothing;
    return html`<small id="problem-${field}" class="field-problem" role="alert"
      >${this.problem.text}</small
    >`;
  }

  private described(field: string): string | typeof nothing {
    return this.problem?.field === field ? `problem-${field}` : nothing;
  }

  private uploadGames(wanted: boolean): void {
    settings.set({ uploadGames: wanted });
    if (!wanted) return;
    void attempt(async () => {
      const count = await (await import("../storage/upload")).uploadAllGames();
      toast(count > 0 ? tn("{count} game saved.", "{count} games saved.", count) : t("Saved."));
    });
  }

  override render(): TemplateResult {
    const { me } = userSession;
    return html`<section class="plain-page">
      <h1>${t("Account")}</h1>
      ${loadError(this.failed, () => this.load())}
      <div class="cards">
        ${me ? (me.account ? this.known(me.account.name) : this.guest(me)) : nothing}
      </div>
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
            aria-describedby=${this.described("rename")}
            .value=${me.name ?? settings.now.name}
          />
          <button class="primary">${t("Save")}</button>
        </div>
        ${this.problemWith("rename")}
      </form>
      <form class="card" @submit=${this.enter}>
        <h2>${t("With an account")}</h2>
        <p>${t("An account stores your games and your rating for all your devices.")}</p>
        <label class="field"
          ><span>${t("Name")}</span
          ><input
            name="name"
            required
            minlength="2"
            maxlength="20"
            autocomplete="username"
            aria-describedby=${this.described("name")}
          /></label
        >${this.problemWith("name")}
        <label class="field"
          ><span>${t("Password (at least 8 characters)")}</span
          ><input
            name="password"
            type="password"
            required
            minlength="8"
            autocomplete="current-password"
            aria-describedby=${this.described("password")}
          /></label
        >${this.problemWith("password")}
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
            @click=${() => attempt(() => userSession.logOut())}
          >
            ${t("Log out")}
          </button>
        </div>
      </div>
      <div class="card">
        <h2>${t("Games of this browser")}</h2>
        <p>
          ${t("Games against the computer and at one screen are stored in this browser. Your account can store them too, for all your devices.")}
        </p>
        ${switchField(t("Save them to my account when they are over"), settings.now.uploadGames, {
          change: (on) => this.uploadGames(on),
        })}
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
                await api.revokeTokens();
                this.token = "";
                toast(t("All tokens revoked."));
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

/** What the server takes as the name of an account. */
const NAME = /^[\p{L}\p{N}_.-]{2,20}$/u;

/** A refusal says by its code what it is about. */
function isAboutPassword(error: unknown): boolean {
  return error instanceof ApiError && /password|credential|wrong/.test(error.code);
}

customElements.define("sumito-account", Account);

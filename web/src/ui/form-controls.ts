// Form controls: a radio group of segments, and a switch.

import { html, nothing, type TemplateResult } from "lit";

export interface Option<T extends string> {
  readonly value: T;
  readonly label: string | TemplateResult;
  /** What screen readers say instead of the label. */
  readonly name?: string;
}

/** One of a few options, side by side; `kind` is a class for its style. */
export function radioGroup<T extends string>(
  name: string,
  legend: string,
  options: readonly Option<T>[],
  chosen: T,
  choose: (value: T) => void,
  kind = "",
): TemplateResult {
  return html`<fieldset class="field segmented ${kind}">
    <legend>${legend}</legend>
    ${options.map(
      ({ value, label, name: spoken }) =>
        html`<label
          ><input
            type="radio"
            name=${name}
            value=${value}
            aria-label=${spoken ?? nothing}
            .checked=${chosen === value}
            @change=${() => choose(value)}
          /><span>${label}</span></label
        >`,
    )}
  </fieldset>`;
}

interface SwitchOptions {
  /** Its name in the form it belongs to. */
  readonly name?: string;
  readonly disabled?: boolean;
  readonly change?: (on: boolean, box: HTMLInputElement) => void;
}

/** Something that is on or off. */
export function switchField(label: string, on: boolean, options: SwitchOptions): TemplateResult {
  return html`<label class="switch"><span>${label}</span>${switchInput(on, options)}</label>`;
}

/** A switch without its label. */
export function switchInput(
  on: boolean,
  { name, disabled = false, change }: SwitchOptions,
): TemplateResult {
  return html`<input
    type="checkbox"
    role="switch"
    name=${name ?? nothing}
    ?disabled=${disabled}
    .checked=${on}
    @change=${(event: Event) => {
      const box = event.target as HTMLInputElement;
      change?.(box.checked, box);
    }}
  />`;
}

import { type Html, html } from '../../../kernel/pages/html.ts';
import type { Sent } from '../page/declare.ts';

/** A field of a form. */
export interface Field {
  name: string;
  label: string;
  hint?: string;
  isRequired?: boolean;
  most?: number;
}

/** A field of a line, with the value that was sent before. */
export const textField = (
  kept: Sent | undefined,
  { name, label, hint = '', isRequired = false, most = 255 }: Field,
): Html =>
  html`<label class="field"
    >${label}
    <input
      name="${name}"
      value="${kept?.[name] ?? ''}"
      maxlength="${most}"
      placeholder="${hint}"
      autocomplete="off"
      spellcheck="false"
      ${isRequired && html`required`}
  /></label>`;

/** A field of several lines, with the value that was sent before. The parser of HTML removes the first line break. */
export const linesField = (
  kept: Sent | undefined,
  { name, label, hint = '', isRequired = false, most = 2_000 }: Field,
): Html =>
  html`<label class="field"
    >${label}
    <textarea
      name="${name}"
      maxlength="${most}"
      placeholder="${hint}"
      spellcheck="false"
      ${isRequired && html`required`}
    >
${'\n'}${kept?.[name] ?? ''}</textarea>
  </label>`;

/** A field of a secret, which no page shows again. */
export const secretField = ({ name, label }: Pick<Field, 'name' | 'label'>): Html =>
  html`<label class="field">${label} <input type="password" name="${name}" autocomplete="new-password" /></label>`;

/** A choice of one of several values, by their texts. */
export const choiceField = (
  kept: Sent | undefined,
  { name, label, options }: Pick<Field, 'name' | 'label'> & { options: Readonly<Record<string, string>> },
): Html =>
  html`<label class="field"
    >${label}
    <select name="${name}">
      ${Object.entries(options).map(
        ([value, text]) => html`<option value="${value}" ${kept?.[name] === value && html`selected`}>${text}</option>`,
      )}
    </select></label
  >`;

/** A check box. */
export const checkField = (kept: Sent | undefined, { name, label }: Pick<Field, 'name' | 'label'>): Html =>
  html`<label><input type="checkbox" name="${name}" ${kept?.[name] === 'on' && html`checked`} /> ${label}</label>`;

/** The text of a field; undefined if it is empty. */
export const given = (text: string | undefined): string | undefined => text?.trim() || undefined;

/** The lines of a field without empty ones; undefined if there are none. */
export function givenLines(text = ''): string[] | undefined {
  const lines = text.split(/[\r\n]+/).flatMap((line) => line.trim() || []);
  return lines.length === 0 ? undefined : lines;
}

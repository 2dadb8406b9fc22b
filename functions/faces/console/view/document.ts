import { type Html, html } from '../../../kernel/pages/html.ts';
import { renderAct } from '../page/act.ts';
import type { Act } from '../page/declare.ts';
import type { Visit } from '../page/visit.ts';
import { frame } from './parts.ts';

/** A document as it was typed; text that is no JSON object is sent as it is, so that the API rejects it. */
export function readDocument(text = ''): object | string {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : text;
  } catch {
    return text;
  }
}

/** The texts of the form of a document. */
interface DocumentForm {
  title: string;
  effect: string;
  /** The name of the field, and its label. */
  name: string;
  label: string;
  rows: number;
  /** The longest document, in characters. */
  longest: number;
}

/** The form of an act that is made with a record as a JSON document, without the members `object` and `version` of its response. */
export function renderDocumentForm(visit: Visit, act: Act, record: object, texts: DocumentForm): Html | undefined {
  const { object: _object, version: _version, ...document } = record as Record<string, unknown>;
  const { title, effect, name, label, rows, longest } = texts;
  const form = renderAct(visit, act, {
    fields: {},
    effect,
    more: html`<label class="field"
      >${label}
      <textarea name="${name}" rows="${rows}" required maxlength="${longest}" spellcheck="false">
${JSON.stringify(document, null, 2)}</textarea>
    </label>`,
  });
  return form && frame(title, html`<div class="pad">${form}</div>`);
}

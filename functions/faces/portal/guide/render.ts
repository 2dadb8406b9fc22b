import { type Html, html } from '../../../kernel/pages/html.ts';
import { copyable, copyableFacts } from '../page/render.ts';
import type { Visit } from '../session/visit.ts';
import type { GuideStep, VALUES } from './schema.ts';

/** The values of the service that a guide shows. A value that is missing is shown by its name only. */
export type GuideValues = Readonly<Partial<Record<(typeof VALUES)[number] | 'name', string>>>;

/** A place in the provider's administration console. */
const place = (where: readonly string[]): string => where.join(' › ');

/** The steps of a guide as a numbered list, with the values to copy. */
export function renderGuide(
  visit: Visit,
  { name: provider, source, steps }: { name: string; source: string | null; steps: readonly GuideStep[] },
  values: GuideValues,
): Html {
  const { translate } = visit;
  return html`<ol class="steps">
      ${steps.map((step) => html`<li>${renderStep(visit, step, values, provider)}</li>`)}
    </ol>
    ${
      source !== null &&
      html`<p class="small">
        <a href="${source}" rel="noreferrer" target="_blank">${translate('guide.source', { provider })}</a>
      </p>`
    }`;
}

function renderStep(visit: Visit, step: GuideStep, values: GuideValues, provider: string): Html | string {
  const { translate } = visit;
  switch (step.do) {
    case 'open':
      return translate('guide.open', { place: place(step.where), provider });
    case 'choose':
      return translate('guide.choose', { options: step.options.join(', ') });
    case 'assign':
      return translate('guide.assign', { place: place(step.where) });
    case 'take':
      return translate(`guide.take_${step.what}`, { place: place(step.where) });
    case 'enter': {
      const fields = step.fields.map(([label, entered]): [string, string] => [
        label,
        typeof entered === 'string' ? (values[entered] ?? translate('guide.token')) : entered.text,
      ]);
      return html`${translate('guide.enter')} ${copyableFacts(visit, fields)}`;
    }
    case 'map':
      return html`${translate('guide.map', { place: place(step.where) })}
        <dl class="facts">
          ${step.attributes.map(
            ([name, value]) =>
              html`<div>
                <dt>${value}</dt>
                <dd>${copyable(visit, name)}</dd>
              </div>`,
          )}
        </dl>`;
    case 'write':
      return html`${translate('guide.write', { file: step.file })} ${copyable(visit, fillIn(step.text, values))}`;
  }
}

const fillIn = (text: string, values: GuideValues): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name as keyof GuideValues] ?? whole);

/** The ids of the guides for any provider, of each protocol. */
const GENERIC: readonly string[] = ['generic', 'oidc'];

/** The name of a provider within a sentence; a guide for any provider has the name of its protocol. */
export const nameProvider = (
  { translate }: Pick<Visit, 'translate'>,
  { id, name }: { id: string; name: string },
): string => (GENERIC.includes(id) ? translate('guide.any') : name);

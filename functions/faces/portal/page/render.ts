import { form as kernelForm } from '../../../kernel/pages/form.ts';
import { readSource } from '../../../kernel/pages/headers.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { type Content, page } from '../../../kernel/pages/layout.ts';
import type { Visit } from '../session/visit.ts';

/** The subject of all forms of a session. Their CSRF proof is derived from the session's cookie, which is new in each session. */
export const FORM_SUBJECT = 'portal';

/** A form of a page of the portal. @param page Its path below the environment's: `sso` */
export const portalForm = ({ cookie, path }: Visit, page: string, content: Html): Html =>
  kernelForm({ value: cookie, subject: FORM_SUBJECT }, path(page), content);

/** A complete page, with links to the other pages below its content. */
export function renderPage(
  visit: Visit,
  content: Content,
  { isLast = false } = {},
): { body: string; headers: Record<string, string> } {
  const { session, surroundings } = visit;
  const { targets = [] } = content;
  const successOrigin = readSource(session.successUrl ?? session.returnUrl ?? '');
  return page(surroundings, {
    ...content,
    isWide: true,
    body: html`${content.body}${!isLast && renderNavigation(visit)}`,
    targets: targets === 'anywhere' ? targets : [...targets, ...(successOrigin === undefined ? [] : [successOrigin])],
  });
}

function renderNavigation(visit: Visit): Html {
  const { session, translate, path, surroundings } = visit;
  const back = session.returnUrl;
  const { brand = '' } = surroundings;
  return html`<nav class="portal-nav" aria-label="${translate('nav.label')}">
    ${session.intents.length > 1 && html`<a href="${path('overview')}">${translate('nav.overview')}</a>`}
    ${back !== undefined && html`<a href="${back}">${surroundings.language.translate('page.back', { brand })}</a>`}
    ${portalForm(visit, 'finish', html`<button class="plain" type="submit">${translate('nav.finish')}</button>`)}
  </nav>`;
}

/** A value to copy into another program, with a copy button if scripts run. */
export const copyable = ({ translate }: Pick<Visit, 'translate'>, value: string): Html =>
  html`<span class="copy"
    ><code dir="ltr">${value}</code
    ><button class="plain" type="button" hidden data-copy="${value}" data-copied="${translate('copy.done')}">
      ${translate('copy.do')}
    </button></span
  >`;

/** Names and values, each with a copy button. */
export const copyableFacts = (visit: Visit, facts: readonly (readonly [name: string, value: string])[]): Html =>
  html`<dl class="facts">
    ${facts.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${copyable(visit, value)}</dd>
        </div>`,
    )}
  </dl>`;

/** The state of a record, shown by text and colour. */
export const stateMark = (text: string, look: '' | 'good' | 'bad' = ''): Html =>
  html`<span class="state ${look}">${text}</span>`;

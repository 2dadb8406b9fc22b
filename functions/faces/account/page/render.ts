import { form as kernelForm } from '../../../kernel/pages/form.ts';
import { readSource } from '../../../kernel/pages/headers.ts';
import { type Html, html } from '../../../kernel/pages/html.ts';
import { type Content, page } from '../../../kernel/pages/layout.ts';
import { accountPath, bindForm, type Visit } from '../session/visit.ts';

/** A form of a page of the account. @param name the last segment of the page's path */
export const accountForm = (visit: Visit, name: string, content: Html): Html =>
  kernelForm(bindForm(visit, name), accountPath(visit.environmentId, name), content);

/** A hidden field of a form. */
export const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}" />`;

/** A button of a form with one effect, which is not the main one of its page. */
export const smallButton = (label: string): Html => html`<button class="button quiet" type="submit">${label}</button>`;

/** A complete page with links to the overview and to the application. */
export function renderPage(
  visit: Visit,
  content: Content,
  { isOverview = false } = {},
): { body: string; headers: Record<string, string> } {
  const { surroundings, translate, session, environmentId } = visit;
  const back = session?.returnUrl ?? surroundings.settings.home_url ?? undefined;
  const { brand = '' } = surroundings;
  const source = back === undefined ? undefined : readSource(back);
  return page(surroundings, {
    ...content,
    ...(visit.impersonator !== undefined && {
      alert: translate('impersonated.banner', { operator: visit.impersonator, email: visit.user.email }),
    }),
    isWide: isOverview,
    body: html`${content.body}
      <nav class="portal-nav" aria-label="${translate('nav.label')}">
        ${!isOverview && html`<a href="${accountPath(environmentId)}">${translate('nav.overview')}</a>`}
        ${back !== undefined && html`<a href="${back}">${surroundings.language.translate('page.back', { brand })}</a>`}
      </nav>`,
    targets: source === undefined ? [] : [source],
  });
}

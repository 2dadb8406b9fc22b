import { type Browser, type Page, unescapeHtml } from './browser.ts';

/** The values of selections and texts in a form, which a browser sends with its inputs. @param containing a part of the form */
export function readFormValues({ text }: Page, containing: string): Record<string, string> {
  const form = [...text.matchAll(/<form[\s\S]*?<\/form>/g)].find(([each]) => each.includes(containing))?.[0] ?? '';
  const areas = [...form.matchAll(/<textarea\s+name="([^"]+)"[^>]*>\n?([\s\S]*?)<\/textarea>/g)];
  const selects = [...form.matchAll(/<select name="([^"]+)">([\s\S]*?)<\/select>/g)].map(
    ([, name = '', options = '']): [string, string] => [name, /value="([^"]*)"\s+selected/.exec(options)?.[1] ?? ''],
  );
  return Object.fromEntries([
    ...areas.map(([, name = '', value = '']): [string, string] => [name, unescapeHtml(value)]),
    ...selects,
  ]);
}

/** Sends the first step of a form of a change. @param form a part of the form, such as `value="sessions.update_settings"` */
export const reviewForm = async (
  person: Browser,
  page: Page,
  form: string,
  changes: Readonly<Record<string, string>>,
): Promise<Page> => person.submit(page, { ...readFormValues(page, form), ...changes, step: 'review' }, form);

/** The form of a change below its button; empty if the page has none. @param id the operation */
export const findChange = ({ text }: Page, id: string): string =>
  new RegExp(`<details class="act" id="${id.replaceAll('.', '\\.')}"[^]*?</details>`).exec(text)?.[0] ?? '';

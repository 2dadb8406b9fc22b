import { renderMessage } from '../../../functions/messages/render.ts';
import { findTemplate } from '../../../functions/kernel/messages/templates/index.ts';
import { listMails, SAMPLE_VALUES } from '../../../functions/messages/preview/apart.ts';
import { BRAND } from './pages.ts';

/** Renders every mail in one language, as HTML by name. @param isBranded true for the brand of the pictures */
export async function collectMails(language: string, isBranded: boolean): Promise<Map<string, string>> {
  const home = { home_url: 'https://nimbus.example/' };
  const settings = isBranded
    ? { pages: BRAND, messages: { brand: { support_email: 'help@nimbus.example' } } }
    : { pages: home };
  const found = new Map<string, string>();
  for (const name of listMails()) {
    const template = findTemplate(name);
    if (template === undefined) throw new Error(`There is no template ${name}`);
    const message = { to: 'ada@example.com', locale: language, values: SAMPLE_VALUES[name] };
    const rendered = await renderMessage('email', template, message, { name: 'Production', settings });
    if (rendered.channel === 'email') found.set(`mail-${name}`, rendered.mail.html);
  }
  return found;
}

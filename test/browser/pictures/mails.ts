import { listMails, renderSampleMail } from '../../../functions/outbound/messages/preview/apart.ts';
import { BRAND } from './pages.ts';

/** Renders every mail in one language, as HTML by name. @param isBranded true for the brand of the pictures */
export async function collectMails(language: string, isBranded: boolean): Promise<Map<string, string>> {
  const home = { home_url: 'https://nimbus.example/' };
  const settings = isBranded
    ? { pages: BRAND, messages: { brand: { support_email: 'help@nimbus.example' } } }
    : { pages: home };
  const found = new Map<string, string>();
  for (const name of listMails()) {
    const mail = await renderSampleMail(name, { name: 'Production', settings }, language);
    if (mail !== undefined) found.set(`mail-${name}`, mail);
  }
  return found;
}

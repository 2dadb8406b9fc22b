import { describe, expect, test } from '@jest/globals';
import type * as z from 'zod';

import { emailAddress } from '../../../functions/kernel/address.ts';
import { LANGUAGES } from '../../../functions/kernel/locale.ts';
import { withoutLinks } from '../../../functions/kernel/messages/name.ts';
import type { Template } from '../../../functions/kernel/messages/template.ts';
import { findTemplate } from '../../../functions/kernel/messages/templates/index.ts';
import { listMails, SAMPLE_VALUES } from '../../../functions/outbound/messages/preview/apart.ts';
import { renderMessage } from '../../../functions/outbound/messages/render.ts';
import { findLinks, findLinksOfMail, HOSTILE_NAMES } from '../../support/links.ts';

const SUPPORT = 'help@acme.example';

/** Puts a text into every string of some values, wherever the schema accepts it, except an address in place of an address. */
function fill(template: Template, values: unknown, text: string): unknown {
  const accepts = (candidate: unknown): boolean => template.values.safeParse(candidate).success;
  let filled = values as Record<string, unknown>;
  for (const name of Object.keys((template.values as z.ZodObject).shape)) {
    const candidate = { ...filled, [name]: text };
    const sample = String(filled[name]);
    const isAddress = URL.canParse(sample) || (sample.includes('@') && emailAddress(text) !== undefined);
    if (accepts(candidate) && !isAddress) filled = candidate;
  }
  return filled;
}

const render = async (template: Template, values: unknown, locale: string, name: string) => {
  const environment = { name, settings: { messages: { brand: { support_email: SUPPORT } } } };
  const message = await renderMessage('email', template, { to: 'ada@acme.example', locale, values }, environment);
  if (message.channel !== 'email') throw new TypeError('This is no mail');
  return message.mail;
};

describe.each(HOSTILE_NAMES)('the name %s', (name) => {
  test('is a link without further work, and looks the same without being one', () => {
    expect(findLinks(name)).not.toEqual([]);
    expect(findLinks(withoutLinks(name))).toEqual([]);
    expect(withoutLinks(name).replaceAll('\u2060', '')).toBe(name);
  });

  test.each(listMails())(
    'is no link as any value of the mail %s, nor as name of the brand, in any language',
    async (mail) => {
      const template = findTemplate(mail) as Template;
      const samples = SAMPLE_VALUES[mail];
      for (const locale of LANGUAGES) {
        const usual = findLinksOfMail(await render(template, samples, locale, 'Acme'));
        const hostile = findLinksOfMail(await render(template, fill(template, samples, name), locale, name));
        expect([locale, hostile.filter((link) => !usual.includes(link))]).toEqual([locale, []]);
      }
    },
  );
});

test('every mail with a value that its sender chose is tried with a hostile one', () => {
  const tried = listMails().filter((mail) => {
    const template = findTemplate(mail) as Template;
    return JSON.stringify(fill(template, SAMPLE_VALUES[mail], 'www.evil.example')).includes('evil');
  });
  expect(tried).toEqual([
    'account-changed',
    'approval-by-command',
    'break-glass',
    'email-changed',
    'invitation',
    'it-contact-invitation',
    'passkey-added',
    'team-invitation',
    'waitlist-confirmation',
    'webhook-endpoint-disabled',
  ]);
});

test('names without the form of an address stay as they are', () => {
  for (const name of ['Acme, Inc.', 'St. Mary Hospital', '24/7 Care', '株式会社アクメ', 'Grace Hopper'])
    expect(withoutLinks(name)).toBe(name);
});

import * as z from 'zod';

import type { MailContent } from '../content.ts';
import type { BuiltIn, Localized } from '../../locale.ts';

/** The values of a mail with a one-time code. */
export const CodeValues = z.object({
  /** The code of six digits. */
  code: z.string().regex(/^\d{6}$/),
  /** Validity of the code in minutes. */
  minutes: z.number().int().min(1),
});

/** The texts of a mail with a code in one language. The code itself is in the body, never in the subject. */
export interface CodeWords {
  subject: (brand: string) => string;
  heading: string;
  ask: (brand: string) => string;
  /** States how long the code is valid, and that it must not be shared. */
  note: (minutes: number) => string;
  unexpected: string;
}

type CodeMail = (values: z.output<typeof CodeValues>, setting: { brand: { name: string } }) => MailContent;

/** The mail of a one-time code in every supported language. */
export function codeMail(words: Localized<CodeWords>): Localized<CodeMail> {
  const composeMail =
    (words: CodeWords): CodeMail =>
    ({ code, minutes }, { brand }) => ({
      subject: words.subject(brand.name),
      preheader: words.ask(brand.name),
      heading: words.heading,
      blocks: [
        { kind: 'paragraph', text: words.ask(brand.name) },
        { kind: 'code', code },
        { kind: 'note', text: words.note(minutes) },
        { kind: 'note', text: words.unexpected },
      ],
    });
  const { en, ...others } = words;
  const translated = Object.entries(others).flatMap(([locale, words]) =>
    words ? [[locale, composeMail(words)] as const] : [],
  );
  return { ...Object.fromEntries(translated), en: composeMail(en) };
}

/** The sentence about a code's lifetime, which all mails with a code share. */
export const LIFETIME: BuiltIn<(minutes: number) => string> = {
  en: (minutes) => `The code works once and expires in ${minutes} minutes. We’ll never ask you for this code.`,
  de: (minutes) => `Der Code gilt einmal und ${minutes} Minuten lang. Niemand vom Dienst wird Sie je danach fragen.`,
  fr: (minutes) =>
    `Le code est valable une seule fois, pendant ${minutes} minutes. Personne ne vous le demandera jamais.`,
  es: (minutes) => `El código sirve una sola vez, durante ${minutes} minutos. Nadie del servicio se lo pedirá jamás.`,
};

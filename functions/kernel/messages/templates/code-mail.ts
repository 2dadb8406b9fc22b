import * as z from 'zod';

import { formatDuration } from '../../locale.ts';
import type { MailContent } from '../content.ts';
import type { Setting } from '../template.ts';
import { requestFacts, RequestValues } from './request-facts.ts';

/** The values of a mail with a one-time code. */
export const CodeValues = z.object({
  /** The code of six digits. */
  code: z.string().regex(/^\d{6}$/),
  /** Validity of the code in minutes. */
  minutes: z.number().int().min(1),
  request: RequestValues,
});

/** The mails with a code, by the prefix of their texts. */
type CodeMailName = 'account_code' | 'magic_auth' | 'email_verification' | 'email_change' | 'radar_challenge';

/**
 * Makes the mail of a one-time code. The code is in its body, and in the subject only if the environment's settings say so:
 * a locked screen shows subjects to everyone.
 */
export const codeMail =
  (name: CodeMailName) =>
  ({ code, minutes, request }: z.output<typeof CodeValues>, setting: Setting): MailContent => {
    const { translate, locale, isCodeInSubject } = setting;
    const ask = translate(`${name}.ask`);
    return {
      subject: translate(isCodeInSubject ? 'code.subject' : `${name}.subject`, { code }),
      preheader: ask,
      heading: translate(`${name}.heading`),
      blocks: [
        { kind: 'paragraph', text: ask },
        { kind: 'code', code },
        { kind: 'note', text: translate('code.note', { time: formatDuration(locale, minutes, 'minute') }) },
        ...requestFacts(request, setting),
        { kind: 'note', text: translate(`${name}.unexpected`) },
      ],
    };
  };

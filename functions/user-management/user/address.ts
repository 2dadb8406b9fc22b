import * as z from 'zod';

import { emailAddress } from '../../kernel/messages/address.ts';

/**
 * An email address as users have it and as two are compared: the domain in ASCII (IDNA), all of it in lower case. RFC
 * 5321 section 2.4 lets a host tell `Ada@` from `ada@`; none does, and whoever types it differently means the same mailbox,
 * as who pastes it with blanks around it.
 * @returns undefined for what no mail can be sent to
 */
export const normalizeEmail = (text: string): string | undefined => emailAddress(text.trim())?.toLowerCase();

/** An address as a caller writes it, read as `normalizeEmail` gives it: whoever can be a user can be named everywhere. */
export const emailInput = z
  .string()
  .max(320)
  .meta({ format: 'email' })
  .transform((text, context) => {
    const email = normalizeEmail(text);
    if (email !== undefined) return email;
    const message = 'is no address that mail can be sent to';
    context.issues.push({ code: 'invalid_format', format: 'email', message, input: text });
    return z.NEVER;
  });

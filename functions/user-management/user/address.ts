import { emailAddress } from '../../kernel/messages/address.ts';

/**
 * An email address as users have it and as two are compared: the domain in ASCII (IDNA), all of it in lower case. RFC
 * 5321 section 2.4 lets a host tell `Ada@` from `ada@`; none does, and whoever types it differently means the same mailbox.
 * @returns undefined for what no mail can be sent to
 */
export const normalizeEmail = (text: string): string | undefined => emailAddress(text)?.toLowerCase();

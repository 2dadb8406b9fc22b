import { domainToASCII } from 'node:url';

/** RFC 5321 section 4.5.3.1: octets of a local part, and of a path without its brackets. */
const MOST_LOCAL = 64;
const MOST_ADDRESS = 254;

/** RFC 5322 section 3.2.3, `dot-atom-text`: neither quoted strings nor comments, which nobody's mailbox needs. */
const DOT_ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/** A host name of two labels or more, the last of which is not a number: no address literals, no bare names. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** ITU-T E.164: a plus and at most 15 digits. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * An email address as mail is sent to it: the domain in lower case and ASCII (IDNA), the local part as given.
 * @returns undefined for what no mail can be sent to, which includes everything with white space or control characters.
 */
export function emailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  // IDNA would read a port, a path or a percent sign as parts of an address; a letter, digit, dot or dash it must be.
  const written = text.slice(at + 1);
  if (at < 1 || !/^[\p{L}\p{N}\p{M}.-]+$/u.test(written)) return undefined;
  const domain = domainToASCII(written);
  if (local.length > MOST_LOCAL || !DOT_ATOM.test(local) || !DOMAIN.test(domain)) return undefined;
  const address = `${local}@${domain}`;
  return address.length > MOST_ADDRESS ? undefined : address;
}

/**
 * An email address as two are compared: the domain in ASCII (IDNA), all of it in lower case. RFC 5321 section 2.4 lets a host
 * tell `Ada@` from `ada@`; none does, and whoever types it differently means the same mailbox, as who pastes it with blanks
 * around it.
 * @returns undefined for what no mail can be sent to
 */
export const normalizeEmail = (text: string): string | undefined => emailAddress(text.trim())?.toLowerCase();

/** A telephone number in E.164 form, spaces and dashes dropped; undefined for anything else. */
export function phoneNumber(text: string): string | undefined {
  const number = text.replace(/[ ().-]/g, '');
  return E164.test(number) ? number : undefined;
}

/** Special names (RFC 2606, 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`) below which no public mailbox is. */
const NO_MAILBOX = /\.(invalid|localhost|local|onion|alt|internal|arpa)$/;

/** Whether mail to an address can arrive at all, as far as its domain's name tells; `test` and `example` are let through. */
export const isDeliverable = (email: string): boolean => !NO_MAILBOX.test(email.toLowerCase());

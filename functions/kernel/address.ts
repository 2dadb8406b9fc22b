import { domainToASCII } from 'node:url';

/** Maximum octets of a local part, and of a path without its brackets (RFC 5321 section 4.5.3.1). */
const MOST_LOCAL = 64;
const MOST_ADDRESS = 254;

/**
 * A local part without quoted strings and comments, which mailboxes do not use (RFC 5322 section 3.2.3, `dot-atom-text`).
 */
const DOT_ATOM = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i;
/** A host name of two labels or more, the last of which is not a number: no address literals, no bare names. */
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
/** A phone number in the form of ITU-T E.164: a plus and at most 15 digits. */
const E164 = /^\+[1-9]\d{6,14}$/;

/**
 * An email address in the form in which mail is sent: the domain in lower case and ASCII (IDNA), the local part as
 * given.
 * @returns undefined if no mail can be sent to it, for example because of white space or control characters
 */
export function emailAddress(text: string): string | undefined {
  const at = text.lastIndexOf('@');
  const local = text.slice(0, Math.max(0, at));
  // IDNA would accept a port, a path or a percent sign as parts of an address, so only letters, digits, dots and dashes
  // are allowed.
  const written = text.slice(at + 1);
  if (at < 1 || !/^[\p{L}\p{N}\p{M}.-]+$/u.test(written)) return undefined;
  const domain = domainToASCII(written);
  if (local.length > MOST_LOCAL || !DOT_ATOM.test(local) || !DOMAIN.test(domain)) return undefined;
  const address = `${local}@${domain}`;
  return address.length > MOST_ADDRESS ? undefined : address;
}

/**
 * An email address in the form in which two addresses are compared: in lower case, the domain in ASCII (IDNA), without
 * blanks around it. RFC 5321 section 2.4 allows a host to distinguish `Ada@` from `ada@`; no host does, and users who type
 * it differently mean the same mailbox.
 * @returns undefined if no mail can be sent to it
 */
export const normalizeEmail = (text: string): string | undefined => emailAddress(text.trim())?.toLowerCase();

/** Parses a phone number to E.164 form, without spaces and dashes; undefined for any other text. */
export function phoneNumber(text: string): string | undefined {
  const number = text.replace(/[ ().-]/g, '');
  return E164.test(number) ? number : undefined;
}

/**
 * Special names (RFC 2606, 6761, 6762, 7686, 8375, 9476, and ICANN's `internal`) below which there is no public
 * mailbox.
 */
const NO_MAILBOX = /\.(invalid|localhost|local|onion|alt|internal|arpa)$/;

/** Reports whether mail can reach an address, as far as the name of its domain shows; `test` and `example` are accepted. */
export const isDeliverable = (email: string): boolean => !NO_MAILBOX.test(email.toLowerCase());

/**
 * The domain of an address in the form in which organizations store domains: lower case, in ASCII. Returns undefined for a
 * text without one.
 */
export function readDomain(email: string): string | undefined {
  const domain = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).toLowerCase();
  return email.includes('@') && domain !== '' ? domain : undefined;
}

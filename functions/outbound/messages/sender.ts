import { emailAddress } from '../../kernel/address.ts';
import { oneLine } from '../../kernel/messages/text.ts';

/**
 * Maximum bytes in an encoded word, which has at most 75 characters (RFC 2047 section 2): 45 bytes make 60 of base64, and
 * 12 are overhead.
 */
const WORD_BYTES = 45;

/**
 * The sender of a mail: a brand's name with the stage's own address, because SES has verified only that one.
 * @param configured GATEHOUSE_MAIL_FROM: `Name <address>` or an address
 * @throws TypeError if the configured sender has no valid address
 */
export function formatSender(brandName: string, configured: string): string {
  const address = emailAddress(/<([^<>]+)>\s*$/.exec(configured)?.[1] ?? configured.trim());
  if (address === undefined) throw new TypeError('GATEHOUSE_MAIL_FROM has no address that could send');
  return `${displayName(oneLine(brandName, 80))} <${address}>`;
}

/** A name in the form of RFC 5322 section 3.4: quoted, or in encoded words (RFC 2047) if it is not ASCII. */
function displayName(name: string): string {
  if (/^[\x20-\x7e]*$/.test(name)) return `"${name.replace(/["\\]/g, '\\$&')}"`;
  const words: string[] = [];
  let word = '';
  // The name is split by code points, because RFC 2047 section 5 forbids splitting a character between two words.
  for (const character of name) {
    if (Buffer.byteLength(word + character) > WORD_BYTES) {
      words.push(word);
      word = '';
    }
    word += character;
  }
  return [...words, word].map((part) => `=?UTF-8?B?${Buffer.from(part).toString('base64')}?=`).join(' ');
}

import xmlEncryption from 'xml-encryption';

import { DATA_ENCRYPTION, DS, KEY_ENCRYPTION, XENC } from './names.ts';
import { escapeXml } from './escape.ts';
import { allElements, readAttribute, childNamed, childrenNamed } from './xml.ts';

/** An encrypted assertion whose form and algorithms are accepted. */
export interface EncryptedAssertion {
  readonly element: Element;
  /** True if a change of the ciphertext is detected, as with GCM. */
  readonly isAuthenticated: boolean;
  /** The number of bytes of the ciphertext. */
  readonly size: number;
}

/** Minimum bytes of a ciphertext: vector, one block or byte, tag. A shorter one would shorten the tag of GCM. */
const SHORTEST = 32;

const only = (parent: Element, namespace: string, name: string): Element | undefined => {
  const [first, ...more] = childrenNamed(parent, namespace, name);
  return more.length === 0 ? first : undefined;
};

/**
 * Reads the algorithms of an `EncryptedAssertion`, which has one EncryptedData, and one EncryptedKey inside of it or next
 * to it.
 * @returns the encrypted assertion, or a sentence that describes what is not accepted
 */
export function readEncrypted(element: Element): EncryptedAssertion | string {
  const data = only(element, XENC, 'EncryptedData');
  const keys = allElements(element).filter(({ localName }) => localName === 'EncryptedKey');
  const [key, ...more] = keys;
  if (!data || !key || more.length > 0)
    return 'The encrypted assertion does not have one EncryptedData and one EncryptedKey.';
  const isNear = key.parentNode === element || key.parentNode === childNamed(data, DS, 'KeyInfo');
  if (!isNear || key.namespaceURI !== XENC) return 'The EncryptedKey is in a place that is not accepted.';
  const keyMethod = readAttribute(only(key, XENC, 'EncryptionMethod'), 'Algorithm') ?? '';
  if (!KEY_ENCRYPTION.includes(keyMethod)) return `The key is encrypted with ${keyMethod}, not with RSA-OAEP.`;
  const method = readAttribute(only(data, XENC, 'EncryptionMethod'), 'Algorithm') ?? '';
  const accepted = Object.hasOwn(DATA_ENCRYPTION, method) ? DATA_ENCRYPTION[method] : undefined;
  if (accepted === undefined) return `The assertion is encrypted with ${method}, not with AES of 128 or 256 bits.`;
  const cipher = childNamed(only(data, XENC, 'CipherData'), XENC, 'CipherValue')?.textContent ?? '';
  const size = Buffer.byteLength(cipher.replace(/\s/g, ''), 'base64');
  return size < SHORTEST
    ? 'The ciphertext is too short.'
    : { element, isAuthenticated: accepted.isAuthenticated, size };
}

/** The namespace declarations that apply to the content of an element, by the name of their attribute. */
function declarationsAround(element: Element): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (let at: Node | null = element; at?.nodeType === 1; at = at.parentNode) {
    for (const { name, value } of Array.from((at as Element).attributes)) {
      if (/^xmlns(?::|$)/.test(name) && !found.has(name)) found.set(name, value);
    }
  }
  return found;
}

/**
 * Writes the namespaces of the place where an element was encrypted into its decrypted start tag, since it may use them
 * without declaring them (XML Encryption, section 4.5). Its canonical form, and therefore the signed bytes, contains only
 * those that it uses.
 */
function inContext(text: string, element: Element): string {
  const [start = '', name = ''] = /^\s*<([A-Za-z_][\w.:-]*)[^<>]*/.exec(text) ?? [];
  if (name === '') return text;
  const missing = [...declarationsAround(element)].filter(
    ([attribute]) => !new RegExp(`\\s${attribute}\\s*=`).test(start),
  );
  const written = missing.map(([attribute, value]) => ` ${attribute}="${escapeXml(value)}"`).join('');
  return text.replace(`<${name}`, () => `<${name}${written}`);
}

/**
 * Decrypts an assertion. Every key is tried, even after a match, so that the time does not depend on it.
 * @param keys PEM of RSA private keys, PKCS #8
 * @returns the text, or undefined: callers never learn the reason
 */
export function decryptAssertion({ element }: EncryptedAssertion, keys: readonly string[]): string | undefined {
  const texts = keys.map((key) => {
    let found: string | undefined;
    const options = { key, disallowDecryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false };
    try {
      xmlEncryption.decrypt(element, options, (error, text) => {
        found = error === null ? text : undefined;
      });
    } catch {
      found = undefined;
    }
    return found;
  });
  const text = texts.find((one) => one !== undefined && one !== '');
  return text === undefined ? undefined : inContext(text, element);
}

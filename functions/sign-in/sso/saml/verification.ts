import { isExpired, isUsableKey, readCertificate, type ReadCertificate } from './certificate.ts';
import { CheckList, type CheckName } from './checks.ts';
import { makeDecoy } from './decoy.ts';
import { decryptAssertion, readEncrypted, type EncryptedAssertion } from './encryption.ts';
import { DS } from './names.ts';
import { findSignatureFault, verifySignature } from './signature.ts';
import { findOwnSignature, findParts, isOneAssertion, type ResponseParts } from './structure.ts';
import {
  allElements,
  readAttribute,
  childNamed,
  decodeMessage,
  MalformedXml,
  parseXml,
  readText,
  type ParsedXml,
} from './xml.ts';

/** Maximum bytes of a decoded response. */
const LARGEST_RESPONSE = 262_144;

/** The keys of a connection. */
export interface ConnectionKeys {
  /**
   * The certificates of the identity provider, PEM or base64. Expired ones are not used; without any other, every response
   * is rejected.
   */
  readonly certificates: readonly string[];
  /** The private keys of the service provider for encrypted assertions, PEM (PKCS #8). */
  readonly decryptionKeys: readonly string[];
}

/** The exception that ends a verification; the list of checks contains the failure. */
export class Rejection extends Error {}

/** Sentences for errors of a document as a whole. */
const DETAILS: Readonly<Record<string, string>> = {
  too_large: 'The response is larger than 256 KiB.',
  not_base64: 'SAMLResponse is not base64.',
  not_utf8: 'The response is not UTF-8.',
  doctype: 'The response has a document type definition.',
  processing_instruction: 'The response has a processing instruction.',
  character: 'The response has a character that is not accepted.',
  depth: 'The response has more than 64 levels.',
  parts: 'The response has more than 8,192 elements.',
  malformed: 'The response is not well-formed XML.',
};

/** The one sentence for every error of an assertion whose ciphertext an attacker could have changed. */
const UNREADABLE =
  'The assertion could not be decrypted with a key of this connection, or its content is not signed with the key of one of its ' +
  'certificates.';

/** The bytes that a signature covers, parsed again. Values are read only from this tree. */
export interface VerifiedTree {
  readonly assertion: Element;
  /** The response, if its own signature was verified. */
  readonly response?: ResponseParts;
  readonly certificate: ReadCertificate;
  readonly signedPart: 'response' | 'assertion';
}

/** The state of one verification. */
export class Verification {
  readonly checks = new CheckList();
  readonly #certificates: readonly ReadCertificate[];
  readonly #keys: ConnectionKeys;

  constructor(keys: ConnectionKeys, now: number) {
    this.#keys = keys;
    this.#certificates = keys.certificates
      .map(readCertificate)
      .filter((certificate) => certificate !== undefined)
      .filter((certificate) => isUsableKey(certificate) && !isExpired(certificate, now));
  }

  /** Records a failed check and ends the verification. @throws Rejection always */
  reject(check: CheckName, detail: string): never {
    this.checks.fail(check, detail);
    throw new Rejection();
  }

  /** Ends the verification unless there is a value; a text is the sentence that describes the error. */
  need<T extends object>(check: CheckName, value: T | string | undefined, detail = ''): T {
    return typeof value === 'object' ? value : this.reject(check, value ?? detail);
  }

  parse(base64: string): ParsedXml {
    try {
      return parseXml(decodeMessage(base64, LARGEST_RESPONSE), LARGEST_RESPONSE);
    } catch (error) {
      const detail = error instanceof MalformedXml ? DETAILS[error.reason] : undefined;
      return this.reject('document', detail ?? 'The response is not XML.');
    }
  }

  #needCertificates(): void {
    if (this.#certificates.length > 0) return this.checks.pass('certificates');
    return this.reject('certificates', 'The connection has no unexpired certificate of the identity provider.');
  }

  /** Checks the form of a signature, then the bytes that it covers, and parses them again. */
  #verify(document: ParsedXml, signature: Element, signed: Element): { tree: ParsedXml; certificate: ReadCertificate } {
    const fault = findSignatureFault(signature, signed);
    if (fault !== undefined) this.reject(fault.check, fault.detail);
    this.checks.pass('structure', 'algorithms');
    this.#needCertificates();
    const bytes = verifySignature(document.text, signature, this.#certificates);
    const found = this.need('signature', bytes, bytes ? '' : this.#describeOtherKey(signature));
    const tree = parseXml(found.text, LARGEST_RESPONSE);
    const isSame = readAttribute(tree.root, 'ID') === readAttribute(signed, 'ID');
    if (!isSame) this.reject('signature', 'The signature covers another element than the one that it is in.');
    this.checks.pass('signature');
    return { tree, certificate: found.certificate };
  }

  /** Describes the certificate in the signature itself. It is never used, but an administrator can compare it. */
  #describeOtherKey(signature: Element): string {
    const brought = allElements(signature).find(({ localName }) => localName === 'X509Certificate');
    const certificate = readCertificate(readText(brought) ?? '');
    const isKnown = this.#certificates.some(({ fingerprint }) => fingerprint === certificate?.fingerprint);
    if (certificate === undefined)
      return 'No certificate of the connection has the key of the signature, or the content was changed.';
    return isKnown
      ? 'The signature does not fit the content: it was changed after it was signed.'
      : `The response brings the certificate with the SHA-256 fingerprint ${certificate.fingerprint}, which the connection does not have.`;
  }

  /**
   * Decrypts an assertion of a response whose signature was verified, so the identity provider itself wrote the ciphertext.
   */
  #decryptVerified(element: Element): Element {
    const encrypted = this.need('decryption', readEncrypted(element));
    const text = decryptAssertion(encrypted, this.#keys.decryptionKeys);
    const document = text === undefined ? undefined : parseQuietly(text);
    const isSound = document !== undefined && isOneAssertion(document.root);
    const readable = this.need('decryption', isSound ? document : undefined, UNREADABLE);
    this.checks.pass('decryption');
    const own = childNamed(readable.root, DS, 'Signature');
    const { root } = own === undefined ? readable : this.#verify(readable, own, readable.root).tree;
    return root;
  }

  /**
   * Decrypts an assertion that only its own signature protects. Every error before that signature is verified has the same
   * outcome and takes about the same time, because a difference would allow an attacker who sends variations to decrypt the
   * assertion. With GCM a variation does not decrypt at all, so later errors may be described.
   */
  #decryptSigned(element: Element): VerifiedTree {
    const encrypted = this.need('decryption', readEncrypted(element));
    this.#needCertificates();
    this.checks.pass('structure');
    const text = decryptAssertion(encrypted, this.#keys.decryptionKeys);
    const document = text === undefined ? undefined : parseQuietly(text);
    const signature = document && findOwnSignature(document.root);
    if (!document || !signature || findSignatureFault(signature, document.root) !== undefined) {
      this.#verifyDecoy(encrypted);
      return this.reject('decryption', UNREADABLE);
    }
    if (encrypted.isAuthenticated) this.checks.pass('decryption');
    const bytes = verifySignature(document.text, signature, this.#certificates);
    const failed = encrypted.isAuthenticated ? 'signature' : 'decryption';
    const detail = encrypted.isAuthenticated ? this.#describeOtherKey(signature) : UNREADABLE;
    const verified = this.need(failed, bytes, detail);
    const { root } = parseXml(verified.text, LARGEST_RESPONSE);
    const isSame = isOneAssertion(root) && readAttribute(root, 'ID') === readAttribute(document.root, 'ID');
    if (!isSame) this.reject(failed, UNREADABLE);
    this.checks.pass('algorithms', 'decryption', 'signature');
    return { assertion: root, certificate: verified.certificate, signedPart: 'assertion' };
  }

  /**
   * Verifies a document of the same size, made by this service, which takes as long as if the decrypted one could have been
   * read.
   */
  #verifyDecoy({ size }: EncryptedAssertion): void {
    const document = parseXml(makeDecoy(size), LARGEST_RESPONSE * 2);
    const signature = findOwnSignature(document.root);
    if (signature !== undefined) verifySignature(document.text, signature, this.#certificates);
  }

  /**
   * Verifies the signature of an assertion in a response whose own signature was verified: if there is a signature it must
   * be valid.
   */
  #verifyInside(document: ParsedXml, { assertionSignature }: ResponseParts, assertion: Element): Element {
    return assertionSignature === undefined
      ? assertion
      : this.#verify(document, assertionSignature, assertion).tree.root;
  }

  /**
   * Verifies the signatures of response and assertion, of which there must be at least one, and decrypts the assertion if
   * needed.
   */
  verifyParts(document: ParsedXml, parts: ResponseParts): VerifiedTree {
    const { root, assertion, responseSignature, assertionSignature, isEncrypted } = parts;
    const signed = this.need('structure', assertion, 'The response has no assertion.');
    if (!isEncrypted) this.checks.skip('decryption');
    for (const [signature, element] of [[responseSignature, root] as const, [assertionSignature, signed] as const]) {
      const fault = signature && findSignatureFault(signature, element);
      if (fault) this.reject(fault.check, fault.detail);
    }
    if (responseSignature !== undefined) {
      const { tree, certificate } = this.#verify(document, responseSignature, root);
      const response = this.need('structure', findParts(tree.root));
      const verified = this.need('structure', response.assertion, 'The response has no assertion.');
      const clear = isEncrypted ? this.#decryptVerified(verified) : this.#verifyInside(tree, response, verified);
      return { assertion: clear, response, certificate, signedPart: 'response' };
    }
    if (isEncrypted) return this.#decryptSigned(signed);
    const own = this.need('signature', assertionSignature, 'Neither the response nor the assertion is signed.');
    const { tree, certificate } = this.#verify(document, own, signed);
    if (!isOneAssertion(tree.root)) this.reject('structure', 'The signed element is not one assertion.');
    return { assertion: tree.root, certificate, signedPart: 'assertion' };
  }
}

function parseQuietly(text: string): ParsedXml | undefined {
  try {
    return parseXml(text, LARGEST_RESPONSE);
  } catch {
    return undefined;
  }
}

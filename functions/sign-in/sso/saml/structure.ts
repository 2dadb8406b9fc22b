import { DS, SAML, SAMLP, SUCCESS } from './names.ts';
import { allElements, readAttribute, childElements, childNamed, childrenNamed, readText } from './xml.ts';

/** The status of a response: the codes of SAML core, section 3.2.2.2, and the identity provider's own text. */
export interface ResponseStatus {
  readonly code: string;
  readonly subcode?: string;
  /** The text, of at most 500 characters. */
  readonly message?: string;
}

/** The parts of a response for the further steps. */
export interface ResponseParts {
  readonly root: Element;
  readonly status: ResponseStatus;
  /** The only assertion, in plain text or encrypted; undefined only if the status is an error. */
  readonly assertion: Element | undefined;
  readonly isEncrypted: boolean;
  readonly responseSignature: Element | undefined;
  readonly assertionSignature: Element | undefined;
}

const isNamed = (element: Element | undefined, namespace: string, name: string): boolean =>
  element?.localName === name && element.namespaceURI === namespace;

const elementsNamed = (all: readonly Element[], name: string): readonly Element[] =>
  all.filter(({ localName }) => localName === name);

/**
 * The elements of a document without the content of the assertion's Advice, which may contain assertions of others with
 * their own signatures (SAML core, section 2.6.1). It is covered by the signature and never read.
 */
function withoutAdvice(all: readonly Element[], assertion: Element | undefined): readonly Element[] {
  const advice = assertion === undefined ? [] : childrenNamed(assertion, SAML, 'Advice');
  const ignored = new Set(advice.flatMap((one) => allElements(one)));
  return ignored.size === 0 ? all : all.filter((element) => !ignored.has(element));
}

/**
 * Checks the IDs to which a signature can refer. Other attributes with these names count as well, because libraries find
 * all of them.
 */
function hasSoundIds(all: readonly Element[]): boolean {
  const ids = all
    .flatMap((element) => Array.from(element.attributes))
    .filter(({ localName }) => /^id$/i.test(localName))
    .map(({ value }) => value);
  return ids.length === new Set(ids).size && ids.every((id) => /^[^\s'"<>&#]{1,256}$/.test(id));
}

export function readStatus(root: Element): ResponseStatus {
  const status = childNamed(root, SAMLP, 'Status');
  const code = childNamed(status, SAMLP, 'StatusCode');
  const subcode = readAttribute(childNamed(code, SAMLP, 'StatusCode'), 'Value');
  const message = readText(childNamed(status, SAMLP, 'StatusMessage'))?.slice(0, 500);
  return {
    code: readAttribute(code, 'Value') ?? '',
    ...(subcode === undefined ? {} : { subcode }),
    ...(message ? { message } : {}),
  };
}

/** Finds a signature at a place where none is accepted; `signable` are the elements that may have one. */
function findMisplacedSignature(all: readonly Element[], signable: readonly Element[]): string | undefined {
  const signatures = elementsNamed(all, 'Signature');
  const parents = signatures.map(({ parentNode }) => parentNode);
  if (signatures.some(({ namespaceURI }) => namespaceURI !== DS))
    return 'An element Signature is not of XML Signature.';
  if (parents.some((parent) => !signable.some((element) => element === parent))) {
    return 'A signature is in another place than directly in the response or the assertion.';
  }
  return new Set(parents).size === parents.length ? undefined : 'An element has two signatures.';
}

const signatureIn = (element: Element | undefined): Element | undefined => childNamed(element, DS, 'Signature');

/**
 * Finds the parts of a response, before any cryptography: one Response with one assertion as its child, unique IDs,
 * signatures only in these two, no `ds:Object`.
 * @returns the parts, or a sentence that describes what is not accepted
 */
export function findParts(root: Element): ResponseParts | string {
  const all = allElements(root);
  if (!isNamed(root, SAMLP, 'Response')) return 'The document is not a SAML 2.0 Response.';
  if (readAttribute(root, 'Version') !== '2.0') return 'The version of the response is not 2.0.';
  if (elementsNamed(all, 'Object').length > 0)
    return 'The document has an Object, in which a signed element could be hidden.';
  if (readAttribute(root, 'ID') === undefined || !hasSoundIds(all))
    return 'An ID is missing, not unique or has characters that are not accepted.';
  const status = readStatus(root);
  const counted = withoutAdvice(all, childNamed(root, SAML, 'Assertion'));
  const assertions = [...elementsNamed(counted, 'Assertion'), ...elementsNamed(counted, 'EncryptedAssertion')];
  const [assertion, ...more] = assertions;
  const nothing = { assertion: undefined, isEncrypted: false, assertionSignature: undefined };
  if (assertion === undefined && status.code !== SUCCESS) {
    const misplaced = findMisplacedSignature(all, [root]);
    return misplaced ?? { root, status, responseSignature: signatureIn(root), ...nothing };
  }
  if (assertion === undefined || more.length > 0)
    return `The response has ${assertions.length} assertions; expected is one.`;
  if (assertion.parentNode !== root || assertion.namespaceURI !== SAML) {
    return 'The assertion is not directly in the response.';
  }
  const isEncrypted = assertion.localName === 'EncryptedAssertion';
  const fault = isEncrypted ? undefined : findAssertionFault(assertion);
  const misplaced = findMisplacedSignature(counted, isEncrypted ? [root] : [root, assertion]);
  return (
    fault ??
    misplaced ?? {
      root,
      status,
      assertion,
      isEncrypted,
      responseSignature: signatureIn(root),
      assertionSignature: isEncrypted ? undefined : signatureIn(assertion),
    }
  );
}

/**
 * Finds an error in the form of an assertion, which may have at most one of each of its own elements, except statements.
 */
function findAssertionFault(assertion: Element): string | undefined {
  if (!isNamed(assertion, SAML, 'Assertion')) return 'The document is not a SAML 2.0 assertion.';
  if (readAttribute(assertion, 'Version') !== '2.0') return 'The version of the assertion is not 2.0.';
  if (readAttribute(assertion, 'ID') === undefined) return 'The assertion has no ID.';
  const names = childElements(assertion).map(({ localName }) => localName);
  const twice = ['Issuer', 'Subject', 'Conditions'].find((name) => names.filter((one) => one === name).length !== 1);
  return twice === undefined ? undefined : `The assertion does not have exactly one ${twice}.`;
}

/**
 * Finds the signature of a document that consists of an assertion, as an encrypted one does after decryption.
 * @returns the signature, or undefined if the document is not one signed assertion
 */
export function findOwnSignature(root: Element): Element | undefined {
  const all = withoutAdvice(allElements(root), root);
  const isSound =
    findAssertionFault(root) === undefined &&
    elementsNamed(all, 'Object').length === 0 &&
    countAssertions(all) === 1 &&
    hasSoundIds(allElements(root)) &&
    findMisplacedSignature(all, [root]) === undefined;
  return isSound ? signatureIn(root) : undefined;
}

const countAssertions = (all: readonly Element[]): number =>
  elementsNamed(all, 'Assertion').length + elementsNamed(all, 'EncryptedAssertion').length;

/** Reports whether a document is one assertion in the accepted form. */
export const isOneAssertion = (root: Element): boolean =>
  findAssertionFault(root) === undefined && countAssertions(withoutAdvice(allElements(root), root)) === 1;

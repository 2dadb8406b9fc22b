import { DS, SAML, SAMLP } from '../../../functions/sign-in/sso/saml/names.ts';
import { assertionIn, element, forge, parse, remove, signatureIn, write } from './tree.ts';

/** Moves the parts of a response whose signature stays valid around a forged part. */
type Wrap = (document: Document) => void;

/** Replaces the document's root by a forged response; `place` inserts the original somewhere inside. */
const aroundResponse =
  (place: (forged: Element, original: Element, signature: Element, document: Document) => void): Wrap =>
  (document) => {
    const original = document.documentElement;
    const forged = forge(original);
    const signature = signatureIn(document);
    document.replaceChild(forged, original);
    place(forged, original, signature, document);
  };

/** Replaces the assertion by a forged one in the same way. */
const aroundAssertion =
  (place: (forged: Element, original: Element, signature: Element, document: Document) => void): Wrap =>
  (document) => {
    const original = assertionIn(document);
    place(forge(original), original, signatureIn(document), document);
  };

const inFront = (parent: Element, child: Node): void => {
  parent.insertBefore(child, parent.firstChild);
};

/** Inserts a node after the Issuer, where the schema has signatures. */
const afterIssuer = (parent: Element, child: Node): void => {
  parent.insertBefore(child, parent.childNodes[1] ?? null);
};

const RESPONSE: Readonly<Record<string, Wrap>> = {
  'XSW1: the original response inside of its signature': aroundResponse((forged, original, signature) => {
    afterIssuer(forged, remove(signature));
    signature.appendChild(original);
  }),
  'XSW2: the original response next to its signature': aroundResponse((forged, original, signature) => {
    afterIssuer(forged, remove(signature));
    forged.insertBefore(original, signature);
  }),
  'XSW3: the original response first in the forged one': aroundResponse((forged, original) =>
    inFront(forged, original),
  ),
  'XSW4: the original response last in the forged one': aroundResponse((forged, original) =>
    forged.appendChild(original),
  ),
  'XSW5: the original response at the end, the signature in the forged one': aroundResponse(
    (forged, original, signature) => {
      afterIssuer(forged, remove(signature));
      forged.appendChild(original);
    },
  ),
  'XSW6: the original response in the KeyInfo of the signature': aroundResponse(
    (forged, original, signature, document) => {
      afterIssuer(forged, remove(signature));
      signature.appendChild(element(document, DS, 'ds:KeyInfo', original));
    },
  ),
  'XSW7: the original response in Extensions': aroundResponse((forged, original, _signature, document) => {
    afterIssuer(forged, element(document, SAMLP, 'samlp:Extensions', original));
  }),
  'XSW8: the original response in an Object of the signature': aroundResponse(
    (forged, original, signature, document) => {
      afterIssuer(forged, remove(signature));
      signature.appendChild(element(document, DS, 'ds:Object', original));
    },
  ),
  'XSW9: the original response in a StatusDetail': aroundResponse((forged, original, _signature, document) => {
    const [status] = Array.from(forged.getElementsByTagNameNS(SAMLP, 'Status'));
    status?.appendChild(element(document, SAMLP, 'samlp:StatusDetail', original));
  }),
};

const ASSERTION: Readonly<Record<string, Wrap>> = {
  'XSW1: the original assertion inside of its signature, the forged one around': aroundAssertion(
    (forged, original, signature) => {
      original.parentNode?.replaceChild(forged, original);
      afterIssuer(forged, remove(signature));
      signature.appendChild(original);
    },
  ),
  'XSW2: the original assertion before its signature, in the forged one': aroundAssertion(
    (forged, original, signature) => {
      original.parentNode?.replaceChild(forged, original);
      forged.appendChild(original);
      forged.appendChild(remove(signature));
    },
  ),
  'XSW3: the forged assertion before the original': aroundAssertion((forged, original) => {
    original.parentNode?.insertBefore(forged, original);
  }),
  'XSW4: the original assertion in the forged one': aroundAssertion((forged, original) => {
    original.parentNode?.replaceChild(forged, original);
    forged.appendChild(original);
  }),
  'XSW5: the signature in the forged assertion, the original at the end': aroundAssertion(
    (forged, original, signature) => {
      afterIssuer(forged, remove(signature));
      original.parentNode?.insertBefore(forged, original);
    },
  ),
  'XSW6: the original assertion in the KeyInfo of the signature': aroundAssertion(
    (forged, original, signature, document) => {
      original.parentNode?.replaceChild(forged, original);
      afterIssuer(forged, remove(signature));
      signature.appendChild(element(document, DS, 'ds:KeyInfo', original));
    },
  ),
  'XSW7: the forged assertion in Extensions': aroundAssertion((forged, _original, _signature, document) => {
    afterIssuer(document.documentElement, element(document, SAMLP, 'samlp:Extensions', forged));
  }),
  'XSW8: the original assertion in an Object of the signature': aroundAssertion(
    (forged, original, signature, document) => {
      original.parentNode?.replaceChild(forged, original);
      afterIssuer(forged, remove(signature));
      signature.appendChild(element(document, DS, 'ds:Object', original));
    },
  ),
  'XSW9: the original assertion in a StatusDetail': aroundAssertion((forged, original, _signature, document) => {
    original.parentNode?.replaceChild(forged, original);
    const [status] = Array.from(document.getElementsByTagNameNS(SAMLP, 'Status'));
    status?.appendChild(element(document, SAMLP, 'samlp:StatusDetail', original));
  }),
  'the original assertion in the Advice of the forged one': aroundAssertion(
    (forged, original, _signature, document) => {
      original.parentNode?.replaceChild(forged, original);
      forged.appendChild(element(document, SAML, 'saml:Advice', original));
    },
  ),
  'the forged assertion in the Advice of a further one': aroundAssertion((forged, original, _signature, document) => {
    original.parentNode?.insertBefore(element(document, SAML, 'saml:Advice', forged), original);
  }),
  'the forged assertion as a second one, after the original': aroundAssertion((forged, original) => {
    original.parentNode?.appendChild(forged);
  }),
};

const apply = (xml: string, wrap: Wrap): string => {
  const document = parse(xml);
  wrap(document);
  return write(document);
};

/**
 * Signature wrapping (Somorovsky et al., "On Breaking SAML", 2012; the variants of SAML Raider): documents whose signature
 * is valid for a part of them, but not for the part that a careless reader uses.
 */
export const wrapped = (signedResponse: string, signedAssertion: string): readonly (readonly [string, string])[] => [
  ...Object.entries(RESPONSE).map(([name, wrap]) => [`signed response, ${name}`, apply(signedResponse, wrap)] as const),
  ...Object.entries(ASSERTION).map(
    ([name, wrap]) => [`signed assertion, ${name}`, apply(signedAssertion, wrap)] as const,
  ),
];

import { join } from 'node:path';

import { ExactCanonicalization } from '../../../functions/sign-in/sso/saml/canonical.ts';
import { readCertificate } from '../../../functions/sign-in/sso/saml/certificate.ts';
import { issueResponse } from '../../../functions/sign-in/sso/saml/issue.ts';
import { DS } from '../../../functions/sign-in/sso/saml/names.ts';
import { verifySignature } from '../../../functions/sign-in/sso/saml/signature.ts';
import { allElements, parseXml } from '../../../functions/sign-in/sso/saml/xml.ts';
import { keyPair, responseValues } from '../../support/saml/responses.ts';
import { callPython } from '../python.ts';
import type { Step, Suite } from '../suite.ts';
import { makeDocument } from './documents.ts';

const DOCUMENTS = 400;
const LONGEST = 1_000_000;

interface SuiteResponses {
  readonly canonical: readonly string[];
  readonly signed: readonly string[];
  readonly inclusive: readonly string[];
  readonly verified: readonly boolean[];
}

const findTarget = (xml: string): Element => {
  const found = allElements(parseXml(xml, LONGEST).root).find((element) => element.getAttribute('ID') === '_target');
  if (found === undefined) throw new Error('The document has no target.');
  return found;
};

/** Canonical bytes without comments, as the reference computes them. */
const canonicalize = (xml: string): string => new ExactCanonicalization().process(findTarget(xml), {});

function isVerified(xml: string): boolean {
  const { root, text } = parseXml(xml, LONGEST);
  const signature = allElements(root).find(
    ({ localName, namespaceURI }) => localName === 'Signature' && namespaceURI === DS,
  );
  const certificate = readCertificate(keyPair('idp').certificate);
  return (
    signature !== undefined &&
    certificate !== undefined &&
    verifySignature(text, signature, [certificate]) !== undefined
  );
}

/** One step for many documents, whose failure shows the first that differs. */
function all(step: string, documents: readonly string[], differs: (at: number) => string | undefined): Step {
  const faults = documents.map((_, at) => differs(at)).filter((fault) => fault !== undefined);
  const name = `${step} (${documents.length} documents)`;
  return faults.length === 0
    ? { step: name, ok: true }
    : { step: name, ok: false, why: `${faults.length} differ; the first: ${faults[0]}` };
}

async function play(): Promise<readonly Step[]> {
  const documents = Array.from({ length: DOCUMENTS }, (_, seed) => makeDocument(seed));
  const people = ['ada@example.com', 'Zoë \u{1F680}', 'a\u2028b', '&<>"\'', 'a\rb'];
  const ours = people.flatMap((nameId) =>
    (['assertion', 'response'] as const).map((signed) =>
      issueResponse(responseValues({ nameId, signed, attributes: { [nameId]: nameId } })),
    ),
  );
  const { privateKey, certificate } = keyPair('idp');
  const script = join(import.meta.dirname, 'canonical.py');
  const responses = await callPython<SuiteResponses>(script, { documents, ours, privateKey, certificate });
  return [
    all('canonical bytes are those of lxml', documents, (at) => {
      const theirs = Buffer.from(responses.canonical[at] ?? '', 'base64').toString('utf8');
      const found = canonicalize(documents[at] ?? '');
      return found === theirs ? undefined : `${documents[at]}\nours:   ${found}\ntheirs: ${theirs}`;
    }),
    all('signatures of xmlsec1 are verified here', responses.signed, (at) =>
      isVerified(responses.signed[at] ?? '') ? undefined : responses.signed[at],
    ),
    all('signatures of xmlsec1 with InclusiveNamespaces are verified here', responses.inclusive, (at) =>
      isVerified(responses.inclusive[at] ?? '') ? undefined : responses.inclusive[at],
    ),
    all('signatures made here are verified by xmlsec1', ours, (at) =>
      responses.verified[at] === true ? undefined : ours[at],
    ),
  ];
}

/** Canonical XML and signatures of random documents, compared with lxml and xmlsec1. */
export const canonical: Suite = { name: 'canonical', title: 'canonical XML and signatures of lxml and xmlsec1', play };

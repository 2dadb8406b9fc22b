import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Expectations } from '../../../functions/sign-in/sso/saml/assertion.ts';
import { readCertificate } from '../../../functions/sign-in/sso/saml/certificate.ts';
import { verifyResponse } from '../../../functions/sign-in/sso/saml/response.ts';
import { keyPair, toBase64 } from '../../support/saml/responses.ts';
import { readNaively } from '../../support/saml/naive-reader.ts';
import { parse } from '../../support/saml/tree.ts';
import { compare, type Step, type Suite } from '../suite.ts';
import { NODE_SAML, responsesIn, RUBY_SAML, fetchTests, XML_CRYPTO, type Fixture } from './fetch.ts';
import { OUTCOMES } from './outcomes.ts';
import { signAgain } from './resign.ts';

/**
 * Expectations taken from a document itself, so that its form and signature decide; those of invalid documents are fixed.
 */
function readExpectations(xml: string): Expectations {
  const document = parse(xml);
  const values = (name: string, attribute?: string): readonly string[] =>
    Array.from(document.getElementsByTagNameNS('*', name))
      .map((element) => (attribute === undefined ? element.textContent?.trim() : element.getAttribute(attribute)) ?? '')
      .filter((value) => value !== '');
  const issued =
    values('Assertion', 'IssueInstant')[0] ?? values('Response', 'IssueInstant')[0] ?? '2015-01-01T00:00:00Z';
  return {
    issuer: values('Issuer').at(-1) ?? '',
    acsUrls: [...values('SubjectConfirmationData', 'Recipient'), ...values('Response', 'Destination')].filter(
      (url) => !url.includes('invalid'),
    ),
    audiences: values('Audience').filter((audience) => !audience.includes('invalid')),
    requestId: values('SubjectConfirmationData', 'InResponseTo')[0] ?? values('Response', 'InResponseTo')[0],
    now: Date.parse(issued),
  };
}

function computeOutcome(xml: string, certificates: readonly string[], decryptionKeys: readonly string[]): string {
  try {
    const outcome = verifyResponse(toBase64(xml), { certificates, decryptionKeys }, readExpectations(xml));
    if (outcome.isAccepted) return 'accepted';
    return outcome.assertion === undefined ? outcome.reason : `verified, but ${outcome.reason}`;
  } catch (error) {
    return `exception ${String(error)}`;
  }
}

const broughtBy = (xml: string): readonly string[] =>
  [...xml.matchAll(/X509Certificate[^>]*>([^<]+)</g)].flatMap(([, text = '']) => readCertificate(text)?.pem ?? []);

interface Corpus {
  readonly name: string;
  readonly fixtures: readonly Fixture[];
  readonly certificates: readonly string[];
  /** True if the certificates in documents are not used. */
  readonly hasOwnKeys: boolean;
  readonly keys: readonly string[];
}

function steps({ name, fixtures, certificates, hasOwnKeys, keys }: Corpus): readonly Step[] {
  return fixtures.map(({ file, xml }) => {
    const brought = broughtBy(xml);
    const known = brought.length > 0 && !hasOwnKeys ? brought : certificates;
    let again: string;
    try {
      again = signAgain(xml, known);
    } catch {
      again = xml;
    }
    const asItIs = computeOutcome(xml, known, keys);
    const isDated = asItIs === 'algorithms' || asItIs === 'certificates';
    const found = isDated
      ? `${asItIs}; signed again: ${computeOutcome(again, [keyPair('idp').certificate], keys)}`
      : asItIs;
    return compare(`${name}/${file}`, found, OUTCOMES[`${name}/${file}`]);
  });
}

async function play(): Promise<readonly Step[]> {
  const [nodeSaml, rubySaml, xmlCrypto] = [
    await fetchTests(NODE_SAML),
    await fetchTests(RUBY_SAML),
    await fetchTests(XML_CRYPTO),
  ];
  const text = (...path: readonly string[]): string => readFileSync(join(...path), 'utf8');
  const acme = {
    certificates: [text(nodeSaml, 'static/cert.pem')],
    hasOwnKeys: true,
    keys: [text(nodeSaml, 'static/testshib encryption pvk.pem'), text(nodeSaml, 'static/acme_tools_com.key')],
  };
  const ruby = {
    certificates: [text(rubySaml, 'certificates/ruby-saml.crt')],
    hasOwnKeys: false,
    keys: [text(rubySaml, 'certificates/ruby-saml.key')],
  };
  const corpora: readonly Corpus[] = [
    { name: 'node-saml/valid', fixtures: responsesIn(join(nodeSaml, 'static/signatures/valid')), ...acme },
    { name: 'node-saml/invalid', fixtures: responsesIn(join(nodeSaml, 'static/signatures/invalid')), ...acme },
    { name: 'ruby-saml', fixtures: responsesIn(join(rubySaml, 'responses')), ...ruby },
    { name: 'ruby-saml/invalid', fixtures: responsesIn(join(rubySaml, 'responses/invalids')), ...ruby },
    {
      name: 'xml-crypto',
      fixtures: responsesIn(join(xmlCrypto, 'static')),
      certificates: [],
      hasOwnKeys: false,
      keys: [],
    },
  ];
  return [...corpora.flatMap(steps), findDeceived(corpora)];
}

/**
 * The control: a naive reader takes values from documents that are rejected here by their form or signature. If it took none,
 * the documents would prove nothing.
 */
function findDeceived(all: readonly Corpus[]): Step {
  const rejected = all.flatMap(({ name, fixtures, certificates, hasOwnKeys }) =>
    fixtures
      .filter(({ file }) => /(?:^|again: )(?:document|structure|signature)$/.test(OUTCOMES[`${name}/${file}`] ?? ''))
      .map(({ file, xml }) => ({ file, xml, known: hasOwnKeys ? certificates : [...broughtBy(xml), ...certificates] })),
  );
  const taken = rejected.filter(({ xml, known }) =>
    known.some((certificate) => readNaively(xml, certificate).some((name) => name !== undefined)),
  );
  const step = `a naive reader accepts ${taken.length} of ${rejected.length} documents that are rejected here`;
  return taken.length > 0 ? { step, ok: true } : { step, ok: false, why: 'the documents deceive nothing' };
}

/** Public test documents, each with the outcome that it must have, as it is and signed again. */
export const corpora: Suite = {
  name: 'corpora',
  title: 'test documents of node-saml, ruby-saml and xml-crypto',
  play,
};

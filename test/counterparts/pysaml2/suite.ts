import { join } from 'node:path';

import { run } from '../../clients/cache.ts';
import { debianPackages } from '../debian.ts';
import { callPython } from '../python.ts';
import { beginSignIn, finishSignIn, ownKeys, verifySignIn } from '../service-provider.ts';
import { compare, type Step, type Suite } from '../suite.ts';

const SSO_URL = 'https://idp.example.com/sso';

interface SuiteResponses {
  readonly metadata: string;
  readonly responses: readonly string[];
}

/** The command xmlsec1, which pysaml2 calls: the machine's own, or that of Debian. @throws {Skipped} without both */
async function findXmlsec(): Promise<{ command: string; env: Record<string, string> }> {
  const own = await run('sh', ['-c', 'command -v xmlsec1']);
  if (own.code === 0) return { command: own.output.trim(), env: {} };
  const packages = ['xmlsec1', 'libxmlsec1', 'libxmlsec1-openssl'];
  const folder = await debianPackages('saml-xmlsec1', packages, import.meta.filename);
  const libraries = await run('sh', ['-c', `dirname "$(find "${folder}" -name 'libxmlsec1.so*' | head -1)"`]);
  return { command: join(folder, 'usr', 'bin', 'xmlsec1'), env: { LD_LIBRARY_PATH: libraries.output.trim() } };
}

async function play(): Promise<readonly Step[]> {
  const { command, env } = await findXmlsec();
  const { idp, sp } = ownKeys();
  const signIns = [
    { ...beginSignIn('signed assertion', sp, false, SSO_URL), sign: 'assertion' },
    { ...beginSignIn('signed response', sp, false, SSO_URL), sign: 'response' },
    { ...beginSignIn('both signed', sp, false, SSO_URL), sign: 'both' },
    { ...beginSignIn('encrypted with AES-128', sp, true, SSO_URL), sign: 'assertion', method: 'aes128-cbc' },
    { ...beginSignIn('encrypted with AES-256', sp, true, SSO_URL), sign: 'assertion', method: 'aes256-cbc' },
    {
      ...beginSignIn('encrypted as it does by itself, with triple DES', sp, true, SSO_URL),
      sign: 'assertion',
      isRejected: true,
    },
  ];
  const script = join(import.meta.dirname, 'idp.py');
  const { metadata, responses } = await callPython<SuiteResponses>(script, { ...idp, xmlsec1: command, signIns }, env);
  return signIns.flatMap((signIn, at) => {
    const base64 = Buffer.from(responses[at] ?? '').toString('base64');
    if ('isRejected' in signIn) {
      const outcome = verifySignIn(signIn, metadata, base64, sp);
      const names = typeof outcome !== 'string' && !outcome.isAccepted && outcome.detail.includes('tripledes');
      return [compare(`${signIn.name}: rejected by its name`, names, true)];
    }
    return finishSignIn(signIn, metadata, base64, sp, { email: 'ada@example.com', groups: ['engineers', 'owners'] });
  });
}

/** The identity provider of pysaml2, which also verifies the signatures of this service's requests. */
export const pysaml2: Suite = { name: 'pysaml2', title: 'Python, pysaml2 7.5.5 with xmlsec1', play };

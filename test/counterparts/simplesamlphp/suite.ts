import { readCertificate } from '../../../functions/sign-in/sso/saml/certificate.ts';
import { ACS_URL, beginSignIn, ENTITY_ID, finishSignIn, ownKeys, responseIn } from '../service-provider.ts';
import type { Step, Suite } from '../suite.ts';
import { startSimpleSamlPhp } from './server.ts';

/** A browser without scripts: cookies, redirects, and the fields of a form. */
class Browser {
  readonly #cookies = new Map<string, string>();

  async open(address: string, form?: URLSearchParams): Promise<{ url: string; text: string }> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(address, {
      redirect: 'manual',
      headers: { cookie },
      ...(form === undefined ? {} : { method: 'POST', body: form }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    const location = response.headers.get('location');
    if (location !== null) return this.open(new URL(location, address).href);
    return { url: address, text: await response.text() };
  }
}

/** Signs in `ada` with the provider's form, and returns the page that posts the response. */
async function signIn(address: string): Promise<string> {
  const browser = new Browser();
  const { url, text } = await browser.open(address);
  const state = (/name="AuthState" value="([^"]*)"/.exec(text)?.[1] ?? '').replaceAll('&amp;', '&');
  const form = new URLSearchParams({ username: 'ada', password: 'secret', AuthState: state });
  return (await browser.open(url, form)).text;
}

async function play(): Promise<readonly Step[]> {
  const { idp, sp } = ownKeys();
  const provider = await startSimpleSamlPhp(idp);
  try {
    const steps: Step[] = [];
    for (const isEncrypted of [false, true]) {
      const signing = readCertificate(sp.certificate)?.base64 ?? '';
      const encryption = isEncrypted ? { encryption: signing } : {};
      provider.register({ entityId: ENTITY_ID, acsUrl: ACS_URL, signing, ...encryption });
      const metadata = await (await fetch(`${provider.url}/saml2/idp/metadata.php`)).text();
      const started = beginSignIn(
        isEncrypted ? 'encrypted' : 'in clear',
        sp,
        isEncrypted,
        `${provider.url}/saml2/idp/SSOService.php`,
      );
      const page = await signIn(started.address);
      steps.push(
        ...finishSignIn(started, metadata, responseIn(page), sp, {
          email: 'ada@example.com',
          groups: ['engineers', 'owners'],
        }),
      );
    }
    return steps;
  } finally {
    provider.stop();
  }
}

/** SimpleSAMLphp with its own settings: it verifies the signed request, asks for a password and posts the response. */
export const simplesamlphp: Suite = { name: 'simplesamlphp', title: 'PHP, SimpleSAMLphp of Debian', play };

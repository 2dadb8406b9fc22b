import { browser } from '../support/browser.ts';
import type { LocalProcess } from './local-process.ts';

/** The environment of the operators. */
const OPERATORS = 'environment_00000000000000000000000001';

/** An operator who is signed in to the console of a local process. */
export interface Operator {
  /** Adds a redirect URI whose host has a name, with the name as the reason. @throws Error if there is no response, or it is an error */
  addRedirectUri: (name: string) => Promise<void>;
  /** Reads the reasons of all such acts in the operators' log, page by page. */
  listReasons: () => Promise<string[]>;
}

/** Signs the local owner in to the console, by the link of `/_local/console`. */
export async function signIn({
  connection: { url },
  clientId,
}: Pick<LocalProcess, 'connection' | 'clientId'>): Promise<Operator> {
  const person = browser();
  await person.submit(await person.open(`${url}/_local/console`));
  const path = `${url}/console/e/${clientId.replace('client_', 'environment_')}/redirect-uris`;
  const page = await person.open(path);
  if (!page.text.includes('value="add-uri"')) throw new Error(`rejected: ${page.status} ${page.text.slice(0, 500)}`);
  return {
    addRedirectUri: async (name) => {
      const sent = { uri: `https://${name}.example/callback`, reason: `act ${name}` };
      const response = await person.submit(page, sent, 'value="add-uri"');
      if (response.url.includes('done=add-uri')) return;
      const isUnavailable = response.status >= 500 || /did not respond|503|unavailable/i.test(response.text);
      throw new Error(isUnavailable ? 'unavailable' : `rejected: ${response.status} ${response.text.slice(-3_000)}`);
    },
    listReasons: async () => {
      const found: string[] = [];
      let next: string | undefined = `${url}/console/e/${OPERATORS}/log?action=redirect_uris.create`;
      while (next !== undefined) {
        const { text, status }: { text: string; status: number } = await person.open(next);
        if (status !== 200) throw new Error(`${next} responded ${status}`);
        found.push(...[...text.matchAll(/\bact (r\d+-\d+)\b/g)].map(([, name = '']) => name));
        const address = /rel="next" href="([^"]+)"/.exec(text)?.[1];
        next = address === undefined ? undefined : new URL(address.replaceAll('&amp;', '&'), next).href;
      }
      return found;
    },
  };
}

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from '@jest/globals';

import { compareMakers, readSources } from '../../bin/makers.ts';
import { RULES } from '../../functions/tenancy/modules/trust/authority/rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const table = readFileSync(`${root}/functions/tenancy/modules/trust/MAKERS.md`, 'utf8');
const sources = readSources(root);

/** The differences of the source with a planted file, or with a text added to an existing one. */
const compareWith = (file: string, text: string): string[] =>
  compareMakers(table, new Map([...sources, [file, `${sources.get(file) ?? ''}\n${text}`]]));

const SIGN = "import { signToken } from '../../../kernel/tokens/sign.ts';";
const OPERATION = 'export const planted = operation({ id: ';

test('the table of makers names every function that makes a secret or token, and its callers', () => {
  expect(compareMakers(table, sources)).toEqual([]);
});

test('every act of the rules is asked about by a door', () => {
  const asked = [...sources]
    .filter(([file]) => !file.startsWith('functions/tenancy/modules/trust/'))
    .map(([, text]) => text);
  const acts = [...new Set(RULES.map(({ act }) => act))];
  expect(acts.filter((act) => !asked.some((text) => text.includes(`act: '${act}'`)))).toEqual([]);
});

describe('the check of makers reports a new operation that', () => {
  test.each([
    ['signs a token', `${SIGN}\n${OPERATION}'a', handle: () => signToken('e', 'access', {}, 60) });`],
    [
      'makes a key by another name',
      `import { mintKey as make } from '../../../kernel/authentication/secret-key.ts';\n${OPERATION}'a', handle: () => make('sk_', 'u') });`,
    ],
    [
      'makes random bytes',
      `import { randomBytes } from 'node:crypto';\n${OPERATION}'a', handle: () => randomBytes(32) });`,
    ],
    [
      'loads the signer when it is called',
      `${OPERATION}'a', handle: async () => (await import('../../../kernel/tokens/sign.ts')).signToken('e', 'access', {}, 60) });`,
    ],
  ])('%s', (_, text) => {
    expect(compareWith('functions/access/widgets/planted/operations.ts', text)).toEqual([
      'access/widgets/planted/operations planted makes a secret or signs a token and is not in the table.',
    ]);
  });

  test.each([
    [
      'opens a session through a public part',
      `import { stageSession } from '../../../tenancy/sessions/public.ts';\n${OPERATION}'a', handle: () => stageSession() });`,
      'tenancy/sessions/session/stage stageSession',
    ],
    [
      'imports all of a public part',
      `import * as links from '../../../faces/account/link/stage.ts';\n${OPERATION}'a', handle: () => links.stageAccountLink() });`,
      'faces/account/link/stage stageAccountLink',
    ],
    [
      'links an account at a provider',
      `import { stageIdentity } from '../../../proofs/modules/credentials/public.ts';\n${OPERATION}'a', handle: () => stageIdentity() });`,
      'proofs/modules/credentials/identity/stage stageIdentity',
    ],
  ])('%s', (_, text, maker) => {
    expect(compareWith('functions/access/widgets/planted/operations.ts', text)).toContain(
      `access/widgets/planted/operations planted calls ${maker}, and the table does not list it.`,
    );
  });

  test('is next to another in a file that the table names', () => {
    const text = `${OPERATION}'a', handle: () => signToken('e', 'widget', {}, 60) });`;
    expect(compareWith('functions/access/widgets/widget-token/operations.ts', text)).toEqual([
      'access/widgets/widget-token/operations planted makes a secret or signs a token and is not in the table.',
    ]);
  });

  test('makes a `Verdict` itself', () => {
    const text = `import type { Entry, Verdict } from '../../../tenancy/modules/trust/public.ts';\n${OPERATION}'a', handle: () => stage({} as Verdict<Entry>) });`;
    expect(compareWith('functions/access/widgets/planted/operations.ts', text)).toEqual([
      'functions/access/widgets/planted/operations.ts makes a `Verdict` itself: only `may` does.',
    ]);
  });
});

describe('the check of makers reports a row of the table', () => {
  test('whose function is gone, or is called by fewer functions', () => {
    const without = new Map(
      [...sources].filter(([file]) => file !== 'functions/access/widgets/widget-token/operations.ts'),
    );
    expect(compareMakers(table, without)).toContain(
      'access/widgets/widget-token/operations createWidgetToken makes nothing, as the table says.',
    );
  });

  test.each([
    ['signs the assertion of an agent', 'oauth/agents/registration/assertion signAssertion', '_: AgentVerdict, '],
    ['signs the token of an agent', 'oauth/agents/registration/assertion signAccess', '  _: AgentVerdict,\n'],
    ['opens the session of an agent', 'oauth/agents/session/stage stageSession', '  _: AgentVerdict,\n'],
    ['makes an API key', 'access/api-keys/api-key/stage newKey', '  _: KeyVerdict,\n'],
    ['signs the token of a widget', 'access/widgets/widget-token/operations signWidgetToken', '_: MintingVerdict, '],
    ['signs the tokens of an application', 'oauth/connect/token/issue issueTokens', '  verdict: Verdict<Entry>;\n'],
  ])('whose function %s and takes no `Verdict` any more', (_, name, parameter) => {
    const file = `functions/${name.replace(/ .*/, '')}.ts`;
    const text = sources.get(file) ?? '';
    const from = text.indexOf(parameter, name.endsWith('signAccess') ? text.indexOf('signAccess(') : 0);
    const planted = text.slice(0, from) + text.slice(from + parameter.length);
    expect(compareMakers(table, new Map([...sources, [file, planted]]))).toEqual([
      `${name} takes no \`Verdict\`, as the table says.`,
    ]);
  });

  test('that does not say by what it is allowed', () => {
    const silent = table.replace(/^(\| `tenancy\/sessions\/session\/stage stageSession` +\|)[^|]*\|/m, '$1 |');
    expect(compareMakers(silent, sources)).toEqual([
      'tenancy/sessions/session/stage stageSession has no text about who must allow it.',
    ]);
  });
});

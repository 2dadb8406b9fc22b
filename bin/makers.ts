/**
 * `node bin/run.mjs bin/makers.ts [--write]`: compares every function that makes a secret or signs a token, and the functions that call
 * it, with the table in functions/tenancy/modules/trust/MAKERS.md. It is the check `makers`; exit status 1 if they differ. `--write` writes the
 * functions that it finds into the table; who must allow a new one is for a person to write.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

/** The only functions by which the product makes secrets and signs tokens, each by its file. */
const ROOTS: readonly string[] = [
  'node:crypto#randomBytes',
  ...[
    'authentication/secret-key.ts#mintKey',
    'authentication/secret-key.ts#composeKey',
    'authentication/api-key.ts#newEnvironmentKey',
    'authentication/api-key.ts#environmentKeyFrom',
    'authentication/grant.ts#makeListGrant',
    'authentication/grant.ts#obtainGrant',
    'http/browser.ts#newBrowserValue',
    'keys/hash.ts#randomSecret',
    'one-time-code/code.ts#newCode',
    'one-time-code/send.ts#sendCode',
    'one-time-code/stage.ts#stageCode',
    'tokens/rotation.ts#newFamily',
    'tokens/rotation.ts#newGeneration',
    'tokens/sign.ts#signToken',
  ].map((name) => `functions/kernel/${name}`),
];
/** Functions that make no secret, and give a person, an application or a provider's account a right that lasts. */
const GIVING: ReadonlySet<string> = new Set(
  [
    'faces/account/session/stage.ts#stageAccountOpening',
    'sign-in/authentication/device/request.ts#approveDevice',
    'oauth/connect/consent/authorization.ts#stageAuthorization',
    'oauth/connect/consent/authorization.ts#stageConsent',
    'proofs/modules/credentials/identity/stage.ts#stageIdentity',
    'proofs/modules/credentials/password/stage.ts#stagePassword',
    'tenancy/modules/memberships/organization-membership/stage.ts#stageMembership',
    'proofs/passkeys/passkey/stage.ts#stagePasskey',
    'tenancy/modules/invitations/invitation/accept.ts#stageInvitationAcceptance',
    'tenancy/sessions/session/refresh.ts#refreshSession',
  ].map((name) => `functions/${name}`),
);
/** Functions that make an object with a method which makes a secret: only the callers of that method count. */
const FACTORIES = new Map([
  ['functions/kernel/pages/link.ts#pageLinks', 'mint'],
  ['functions/kernel/pages/session.ts#pageSessions', 'stageOpening'],
]);

const TABLE = 'functions/tenancy/modules/trust/MAKERS.md';
/** The only file that makes a `Verdict`. */
const DECISIONS = 'functions/tenancy/modules/trust/authority/rules.ts';

/** A top-level declaration, and the names that it uses, each as `file#name`; `file#*` for a file that it loads when it runs. */
interface Declaration {
  name: string;
  text: string;
  uses: ReadonlySet<string>;
}

/** A function that makes a secret, and those that call it. */
export interface Maker {
  name: string;
  callers: readonly string[];
}

const NAMED = /^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class) [[{]?\s*(\w+)/;

/** A top-level declaration and the words in it. */
interface Part {
  name: string;
  text: string;
  words: ReadonlySet<string>;
}

/** The parts of the files that were split, by their texts: a comparison with one more file splits only that. */
const splitBefore = new Map<string, readonly Part[]>();

/** Splits a file at its top-level declarations. */
function splitDeclarations(text: string): readonly Part[] {
  const known = splitBefore.get(text);
  if (known !== undefined) return known;
  const found: { name: string; text: string }[] = [];
  const bare = text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');
  for (const line of bare.split('\n')) {
    const isStart = /^(?:export |async |function|const |let |class |interface |type )/.test(line);
    if (isStart) found.push({ name: NAMED.exec(line)?.[1] ?? '', text: '' });
    const last = found.at(-1);
    if (last !== undefined) last.text += `${line}\n`;
  }
  const parts = found.map((part) => ({ ...part, words: new Set(part.text.match(/\w+/g)) }));
  splitBefore.set(text, parts);
  return parts;
}

const IMPORT = /(?:^|\n)(import|export)\s+(?:type\s+)?(?:(\*)\s+as\s+(\w+)|\{([^}]*)\})\s+from\s+'([^']+)'/g;

/** The names that a file imports or passes on. */
function readImports(file: string, text: string): { kind: string; local: string; origin: string }[] {
  return [...text.matchAll(IMPORT)].flatMap(([, kind = '', star, space = '', names = '', from = '']) => {
    const path = resolve(file, from);
    if (star !== undefined) return [{ kind, local: space, origin: `${path}#*` }];
    return names
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '' && !name.startsWith('type '))
      .map((name) => {
        const [original = '', local = original] = name.split(/\s+as\s+/);
        return { kind, local, origin: `${path}#${original}` };
      });
  });
}

const resolve = (file: string, from: string): string =>
  from.startsWith('.') ? posix.join(posix.dirname(file), from) : from;

/** The declarations of each file, with what they use. */
function readDeclarations(sources: ReadonlyMap<string, string>): Map<string, Declaration[]> {
  const imports = new Map([...sources].map(([file, text]) => [file, readImports(file, text)]));
  const passedOn = new Map<string, string>(
    [...imports].flatMap(([file, found]) =>
      found.filter(({ kind }) => kind === 'export').map(({ local, origin }) => [`${file}#${local}`, origin] as const),
    ),
  );
  const follow = (origin: string): string => {
    const next = passedOn.get(origin);
    return next === undefined ? origin : follow(next);
  };
  return new Map(
    [...sources].map(([file, text]) => {
      const parts = splitDeclarations(text);
      const known = new Map([
        ...parts.map(({ name }) => [name, `${file}#${name}`] as const),
        ...(imports.get(file) ?? []).map(({ local, origin }) => [local, follow(origin)] as const),
      ]);
      return [
        file,
        parts.map((part) => {
          const loaded = [...part.text.matchAll(/\bimport\('([^']+)'\)/g)].map(([, from = '']) => resolve(file, from));
          const uses = [...known]
            .filter(([name]) => name !== part.name && part.words.has(name))
            .map(([, origin]) => origin);
          return { ...part, uses: new Set([...uses, ...loaded.map((path) => `${path}#*`)]) };
        }),
      ];
    }),
  );
}

/** Reports whether a declaration uses a function: by its name, or by loading or importing the whole of its file. */
const usesIt = ({ uses }: Declaration, name: string): boolean => uses.has(name) || uses.has(name.replace(/#.*/, '#*'));

/** The functions that make a secret, each with its callers, by their names. @param sources the text of each file below functions/ */
export function findMakers(sources: ReadonlyMap<string, string>): Maker[] {
  const all = [...readDeclarations(sources)].flatMap(([file, parts]) =>
    parts.filter(({ name }) => name !== '').map((part) => ({ ...part, file, id: `${file}#${part.name}` })),
  );
  const objects = [...FACTORIES].flatMap(([factory, method]) =>
    all
      .filter((each) => usesIt(each, factory) && each.file !== factory.replace(/#.*/, ''))
      .map(({ id, name }) => ({ id, call: new RegExp(`\\b${name}\\s*\\.${method}\\(`) })),
  );
  const makes = (each: (typeof all)[number]): boolean =>
    GIVING.has(each.id) ||
    ROOTS.some((root) => usesIt(each, root)) ||
    objects.some(({ id, call }) => (usesIt(each, id) || id.startsWith(`${each.file}#`)) && call.test(each.text));
  const makers = new Set(all.filter((each) => !each.file.startsWith('functions/kernel/') && makes(each)));
  // A function that its file keeps to itself is called through those that the file exports.
  for (const maker of makers) {
    if (maker.text.startsWith('export ') || /Operations?$/.test(maker.name)) continue;
    const own = all.filter((each) => each.file === maker.file && usesIt(each, maker.id));
    for (const each of own.filter(({ name }) => !/Operations?$/.test(name))) makers.add(each);
  }
  return [...makers]
    .map(({ id }) => ({
      name: shorten(id),
      callers: all
        .filter((each) => usesIt(each, id))
        .map((each) => shorten(each.id))
        .toSorted(),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const shorten = (id: string): string => id.replace(/^functions\//, '').replace('.ts#', ' ');

const HEAD = /^\| Function +\|/;

/** The rows of the table: who must allow it, and the callers, by the name of the function. */
export function readTable(text: string): Map<string, { allowedBy: string; callers: readonly string[] }> {
  const lines = text.split('\n');
  const rows = lines.slice(lines.findIndex((line) => HEAD.test(line)) + 2).filter((line) => line.startsWith('|'));
  return new Map(
    rows.map((row) => {
      const [name = '', allowedBy = '', callers = ''] = row
        .slice(1)
        .split('|')
        .map((cell) => cell.trim());
      return [
        name.replaceAll('`', ''),
        { allowedBy, callers: callers === '' ? [] : callers.replaceAll('`', '').split(', ') },
      ];
    }),
  );
}

/** The differences between the table and the source, as sentences; none if they agree. */
export function compareMakers(table: string, sources: ReadonlyMap<string, string>): string[] {
  const rows = readTable(table);
  const makers = findMakers(sources);
  const known = new Set(makers.map(({ name }) => name));
  return [
    ...makers.flatMap(({ name, callers }) => {
      const row = rows.get(name);
      if (row === undefined) return [`${name} makes a secret or signs a token and is not in the table.`];
      const added = callers.filter((caller) => !row.callers.includes(caller));
      const gone = row.callers.filter((caller) => !callers.includes(caller));
      return [
        ...(row.allowedBy === '' ? [`${name} has no text about who must allow it.`] : []),
        ...added.map((caller) => `${caller} calls ${name}, and the table does not list it.`),
        ...gone.map((caller) => `${caller} does not call ${name}, as the table says.`),
      ];
    }),
    ...[...rows.keys()].filter((name) => !known.has(name)).map((name) => `${name} makes nothing, as the table says.`),
    ...[...rows]
      .filter(([, { allowedBy }]) => allowedBy.startsWith('`Verdict'))
      .filter(([name]) => !takesVerdict(sources.get(findFile(name)) ?? '', name.replace(/.* /, '')))
      .map(([name]) => `${name} takes no \`Verdict\`, as the table says.`),
    ...[...sources]
      .filter(
        ([file, text]) => file !== DECISIONS && text.includes('/trust/') && /\bas (?:unknown as )?Verdict\b/.test(text),
      )
      .map(([file]) => `${file} makes a \`Verdict\` itself: only \`may\` does.`),
  ];
}

/** Reports whether a function of a file takes a `Verdict`: itself, or in an interface of its file. */
function takesVerdict(text: string, name: string): boolean {
  const parts = splitDeclarations(text);
  const own = parts.find((part) => part.name === name);
  const types = new Map(parts.map((part) => [readTypeName(part), part]));
  types.delete('');
  const takes = (part: Part): boolean =>
    /\w*Verdict\b/.test(part.text) ||
    [...types].some(([type, other]) => other !== part && part.words.has(type) && types.delete(type) && takes(other));
  return own !== undefined && takes(own);
}

/** The name of an interface or a type; empty for another declaration. */
const readTypeName = ({ text }: Part): string => /^(?:export )?(?:interface|type) (\w+)/.exec(text)?.[1] ?? '';

const findFile = (name: string): string => `functions/${name.replace(/ .*/, '')}.ts`;

/** The text of each file below functions/ of a folder. */
export const readSources = (root: string): Map<string, string> =>
  new Map(
    readdirSync(posix.join(root, 'functions'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => [`functions/${name}`, readFileSync(posix.join(root, 'functions', name), 'utf8')]),
  );

/** The table with the functions and callers of the source, and who must allow them from the former table. */
function renderTable(former: string, sources: ReadonlyMap<string, string>): string {
  const rows = readTable(former);
  const code = (name: string): string => `\`${name}\``;
  const lines = findMakers(sources).map(
    ({ name, callers }) => `| ${code(name)} | ${rows.get(name)?.allowedBy ?? ''} | ${callers.map(code).join(', ')} |`,
  );
  const head = former.split('\n');
  const at = head.findIndex((line) => HEAD.test(line));
  return [...head.slice(0, at), '| Function | Allowed by | Called by |', '| --- | --- | --- |', ...lines, ''].join(
    '\n',
  );
}

if (import.meta.main) {
  const sources = readSources('.');
  const table = readFileSync(TABLE, 'utf8');
  if (process.argv[2] === '--write') writeFileSync(TABLE, renderTable(table, sources));
  const differences = compareMakers(readFileSync(TABLE, 'utf8'), sources);
  for (const difference of differences) console.log(difference);
  if (differences.length > 0) {
    console.log(
      `${differences.length} differences from ${TABLE}: a new caller must be allowed by a Verdict or by another check.`,
    );
  }
  process.exitCode = differences.length > 0 ? 1 : 0;
}

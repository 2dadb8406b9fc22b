/** `npm run authorization -- plan|apply|export FILE`: the authorization model as a file, and exports of it and its data. */
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { parse } from 'yaml';

import type { ModelPlan } from '../functions/tenancy/roles/public.ts';
import { describePlan } from './authorization-plan.ts';
import { CommandError, readUrl, runCommand } from './target.ts';

const USAGE = `usage: npm run authorization -- plan FILE
       npm run authorization -- apply FILE --version N
       npm run authorization -- export FILE.jsonl [--organization ID]
       npm run authorization -- export FILE --openfga --organization ID
plan prints what a model (YAML or JSON, as GET /x/authorization/model returns it) would change, and who gains and loses what. Exit
status 0 without a change, 2 with changes, 1 after an error. apply makes the changes if the model is still at the planned version.
export writes lines that npm run import takes, of all organizations or one; with --openfga FILE.model.json and FILE.tuples.jsonl.
The API key is read from GATEHOUSE_API_KEY. --url URL names the service (other commands take --stage NAME for a deployed one),
else it is the local Gatehouse that runs on .gatehouse, or on --data FOLDER.`;

const MODEL = '/x/authorization/model';

const options = {
  url: { type: 'string' },
  data: { type: 'string', default: '.gatehouse' },
  version: { type: 'string' },
  organization: { type: 'string' },
  openfga: { type: 'boolean', default: false },
} as const;

type Call = (method: string, path: string, body?: object) => Promise<unknown>;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [verb, file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new CommandError(USAGE);
  const makeCall = (): Call => connect(values.url ?? readUrl(values.data));
  if (verb === 'plan') return plan(makeCall(), file);
  if (verb === 'apply') return apply(makeCall(), file, values.version);
  if (verb !== 'export') throw new CommandError(USAGE);
  if (!values.openfga) return exportLines(makeCall(), file, values.organization);
  if (values.organization === undefined) throw new CommandError('Name the organization: --organization ID.');
  return exportToOpenFga(makeCall(), file, values.organization);
});

/** Calls the API with the key of the environment variable. @throws CommandError for a response other than 2xx */
function connect(url: string): Call {
  const key = process.env.GATEHOUSE_API_KEY;
  if (key === undefined || key === '') {
    throw new CommandError(
      'Set GATEHOUSE_API_KEY to an API key of the environment; "npm start" prints that of a local one.',
    );
  }
  return async (method, path, body) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw new CommandError(`${url} cannot be called. (${(error as Error).message})`);
    });
    const text = await response.text();
    if (!response.ok) throw new CommandError(`${method} ${path} responded ${response.status}: ${readMessage(text)}`);
    return JSON.parse(text) as unknown;
  };
}

function readMessage(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}

/** A model from a file, without the members of a response. @throws CommandError if it cannot be read */
function readModel(file: string): object {
  let value: unknown;
  try {
    value = parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new CommandError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new CommandError(`${file} has no object with resource_types, permissions and roles.`);
  }
  const { object: _object, version: _version, ...model } = value as Record<string, unknown>;
  return model;
}

async function plan(call: Call, file: string): Promise<void> {
  const planned = (await call('PUT', `${MODEL}?dry_run=true`, readModel(file))) as ModelPlan;
  console.log(describePlan(planned));
  if (planned.changes.length === 0) return;
  console.log(
    `\nPlanned for version ${planned.version}: npm run authorization -- apply ${file} --version ${planned.version}`,
  );
  process.exitCode = 2;
}

async function apply(call: Call, file: string, given: string | undefined): Promise<void> {
  if (given === undefined || !/^\d{1,15}$/.test(given)) {
    throw new CommandError('Name the version that "plan" printed: --version N.');
  }
  const applied = (await call('PUT', MODEL, { ...readModel(file), version: Number(given) })) as ModelPlan;
  console.log(`${describePlan(applied)}\n\nThe model is at version ${applied.version}.`);
}

interface Page {
  data: Record<string, unknown>[];
  list_metadata: { after: string | null };
}

/** The entries of a list, page by page. */
async function* readPages(call: Call, path: string, limit: number): AsyncGenerator<Page['data']> {
  for (let after: string | null = ''; after !== null;) {
    const from: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const page = (await call('GET', `${path}?limit=${limit}${from}`)) as Page;
    yield page.data;
    after = page.list_metadata.after;
  }
}

/** Writes the entries of some lists to a file, one a line. @returns their number */
async function writeLines(call: Call, file: string, paths: AsyncIterable<string> | Iterable<string>): Promise<number> {
  const target = openSync(file, 'w');
  let count = 0;
  try {
    for await (const path of paths) {
      for await (const lines of readPages(call, path, 1_000)) {
        writeSync(target, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
        count += lines.length;
      }
    }
  } finally {
    closeSync(target);
  }
  return count;
}

async function exportLines(call: Call, file: string, organization: string | undefined): Promise<void> {
  async function* listPaths(): AsyncGenerator<string> {
    if (organization !== undefined) {
      yield listPath(organization);
      return;
    }
    yield '/x/authorization/export';
    for await (const page of readPages(call, '/organizations', 100)) {
      for (const { id } of page) yield listPath(String(id));
    }
  }
  const listPath = (id: string): string => `/x/authorization/organizations/${encodeURIComponent(id)}/export`;
  console.log(`${await writeLines(call, file, listPaths())} lines in ${file}.`);
}

async function exportToOpenFga(call: Call, file: string, organization: string): Promise<void> {
  const id = encodeURIComponent(organization);
  const exported = (await call('GET', `/x/authorization/openfga/model?organization_id=${id}`)) as {
    authorization_model: object;
  };
  writeFileSync(`${file}.model.json`, `${JSON.stringify(exported.authorization_model, null, 2)}\n`);
  const paths = [`/x/authorization/organizations/${id}/openfga/tuples`];
  const count = await writeLines(call, `${file}.tuples.jsonl`, paths);
  console.log(`The model in ${file}.model.json, ${count} tuples in ${file}.tuples.jsonl.`);
}

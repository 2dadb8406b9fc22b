/** `npm run environments -- create|list|delete`: the environments of a stage, locally or deployed. */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { makeClientId, newEnvironment, newEnvironmentKey } from '../functions/kernel/authentication/api-key.ts';
import { systemActor } from '../functions/kernel/authentication/caller.ts';
import { isIssuer, readColour } from '../functions/tenancy/modules/environments/environment/rules.ts';
import { emailAddress } from '../functions/kernel/address.ts';
import { settings } from '../functions/kernel/settings.ts';
import { applyWork } from '../functions/kernel/storage/background.ts';
import { allEnvironments, type EnvironmentRecord, environments } from '../functions/kernel/storage/environment.ts';
import { fence, FENCE_WAIT_MS } from '../functions/kernel/storage/fence.ts';
import { ensureSigningKey } from '../functions/kernel/tokens/keys.ts';
import { deleteEnvironment } from './environment-deletion.ts';
import { aimAt, CommandError, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run environments -- create NAME [--contact EMAIL]
       npm run environments -- update ENVIRONMENT_ID [--name NAME] [--contact EMAIL] [--issuer URL] [--platform on|off]
              [--production on|off] [--color RRGGBB]
       npm run environments -- list
       npm run environments -- delete ENVIRONMENT_ID --yes
       npm run environments -- fence ENVIRONMENT_ID|all
${TARGET_USAGE}`;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...targetOptions,
      yes: { type: 'boolean', default: false },
      name: { type: 'string' },
      contact: { type: 'string' },
      issuer: { type: 'string' },
      platform: { type: 'string' },
      production: { type: 'string' },
      color: { type: 'string' },
    },
  });
  const [verb, argument] = positionals;
  const isCall =
    argument === undefined ? verb === 'list' : ['create', 'update', 'delete', 'fence'].includes(verb ?? '');
  if (!isCall) throw new CommandError(USAGE);
  const contact = checkedContact(values.contact);
  const issuer = checkedIssuer(values.issuer);
  const isPlatform = checkedSwitch('platform', values.platform);
  const isProduction = checkedSwitch('production', values.production);
  const color = checkedColor(values.color);
  const local = await aimAt(values);
  if (argument === undefined) await list();
  else if (verb === 'create') await create(argument, contact, values.stage);
  else if (verb === 'update') {
    await update(argument, { name: values.name, contactEmail: contact, issuer, isPlatform, isProduction, color });
  } else if (verb === 'fence') await takeOver(argument);
  else await remove(argument, values.yes, local);
});

function checkedContact(email: string | undefined): string | undefined {
  if (email !== undefined && emailAddress(email) === undefined) throw new CommandError(`${email} is no email address.`);
  return email;
}

function checkedIssuer(issuer: string | undefined): string | undefined {
  if (issuer !== undefined && !isIssuer(issuer)) throw new CommandError(`${issuer} is not an https URL.`);
  return issuer;
}

/** Reads an option that is on or off; undefined leaves the environment as it is. */
function checkedSwitch(name: string, text: string | undefined): boolean | undefined {
  if (text !== undefined && text !== 'on' && text !== 'off') throw new CommandError(`--${name} is "on" or "off".`);
  return text === undefined ? undefined : text === 'on';
}

/** Reads the colour that the console shows next to the name of the environment, with or without `#`. */
function checkedColor(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const colour = readColour(text);
  if (colour === undefined) throw new CommandError(`${text} is no colour of six hexadecimal digits.`);
  return colour;
}

type Changes = Partial<
  Pick<EnvironmentRecord, 'name' | 'contactEmail' | 'issuer' | 'isPlatform' | 'isProduction' | 'color'>
>;

async function update(id: string, changes: { [Name in keyof Changes]: Changes[Name] | undefined }): Promise<void> {
  const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined)) as Changes;
  await applyWork(id, systemActor, async (unit) => {
    const current = await environments.get(id, id);
    if (current === undefined) throw new CommandError(`There is no environment ${id}.`);
    unit.stage(environments.revise(current, given).write);
  });
  console.log(`${id} is updated.`);
  if (changes.issuer !== undefined)
    console.log('New tokens carry the new issuer; inform every service that verifies it.');
}

async function create(name: string, contactEmail: string | undefined, stage: string | undefined): Promise<void> {
  const environment = newEnvironment(name, undefined, contactEmail);
  const { id } = environment.record;
  const key = newEnvironmentKey(id, 'First API key');
  await applyWork(id, systemActor, async (unit) => unit.stage([environment.write, ...key.writes]));
  console.log(`environment  ${id}\nclient id    ${makeClientId(id)}\nAPI key      ${key.value}\n`);
  const place = stage === undefined ? '' : ` --stage ${stage}`;
  console.log(`The API key is shown this once. Make more with "npm run keys -- create --environment ${id}${place}".`);
  // The keys are not awaited here. If this shell may not use the stage's KMS key, the first sign-in creates them.
  await ensureSigningKey(id, 'sessions').catch(() => undefined);
}

async function list(): Promise<void> {
  const all = await allEnvironments();
  console.table(
    all.map(({ id, name, createdAt, deletedAt }) => ({
      id,
      name,
      client: makeClientId(id),
      created: createdAt,
      deleted: deletedAt ?? '',
    })),
  );
}

/** Makes the deployment that the command aims at the only writer of an environment, or of all. */
async function takeOver(argument: string): Promise<void> {
  const epoch = settings().GATEHOUSE_WRITER_EPOCH;
  if (epoch === 0)
    throw new CommandError(
      'This deployment has the writer epoch 0, the lowest. Set "writerEpoch" of the stage in cdk.json to a number that no other deployment had, deploy it, and run the command again.',
    );
  const ids = argument === 'all' ? (await allEnvironments()).map(({ id }) => id) : [argument];
  console.log(`No call writes for ${FENCE_WAIT_MS / 1_000} seconds, so that those of the former writer end.`);
  const { moved, left } = await fence(ids, epoch, delay);
  for (const id of moved) console.log(`${id} is written by this deployment (writer epoch ${epoch}).`);
  for (const id of left) console.log(`${id} is unchanged: it does not exist, or its epoch is ${epoch} or higher.`);
  if (moved.length === 0) process.exitCode = 1;
}

/** Deletes an environment after the confirmation. */
async function remove(id: string, isMeant: boolean, local: string | undefined): Promise<void> {
  const found = await environments.get(id, id);
  if (found === undefined || found.kind === 'operators') throw new CommandError(`There is no environment ${id}.`);
  if (id === local)
    throw new CommandError('This is the local environment of "npm start"; empty it with POST /_local/reset.');
  if (!isMeant) throw new CommandError(`This permanently removes every record of ${found.name}. Add --yes to confirm.`);
  const { rows, keys, objects } = await deleteEnvironment(id);
  console.log(
    `${found.name} is deleted, with ${rows} records, ${keys} keys of organizations and ${objects} objects of audit logs. ` +
      'Its events and other rows with an end of their own follow.',
  );
}

/** `npm run operators -- invite|link|list|grant|revoke|break-glass|approve`: the operators of the console, locally or on a deployed stage. */
import { parseArgs } from 'node:util';

import {
  approveProposal,
  breakGlass,
  createConsoleLink,
  createPortalLink,
  giveRole,
  linkOperator,
  listOperators,
  provideOperatorsEnvironment,
  removeOperator,
  takeRole,
} from '../functions/faces/console/public.ts';
import { OPERATORS_ENVIRONMENT_ID } from '../functions/kernel/authentication/environment-id.ts';
import { type Intent, INTENTS } from '../functions/tenancy/modules/portal-access/public.ts';
import { acceptSecondFactor } from '../functions/sign-in/sso/public.ts';
import { emailAddress } from '../functions/kernel/address.ts';
import { Failure } from '../functions/kernel/errors.ts';
import { stageParameters } from './stage-parameters.ts';
import { aimAt, CommandError, readUrl, runCommand, TARGET_USAGE, targetOptions } from './target.ts';

const USAGE = `usage: npm run operators -- invite EMAIL --role ROLE
       npm run operators -- link EMAIL
       npm run operators -- list
       npm run operators -- grant EMAIL --role ROLE [--environment ID]
       npm run operators -- revoke EMAIL [--role ROLE [--environment ID]]
       npm run operators -- break-glass --environment ID --reason TEXT
       npm run operators -- portal domain_verification|sso|dsync
       npm run operators -- accept-factor CONNECTION_ID [--value VALUE ...]
       npm run operators -- approve PROPOSAL_ID --environment ID
The roles are viewer, support, admin and owner; owner is for all environments only. "invite" and "link" print a link that signs its reader
in, once within 24 hours: send it only to that person. "link" is for those who were invited. "revoke" without --role removes the operator,
or revokes an invitation that was not used. The last owner stays.
"break-glass" prints a link that opens one environment for one hour, without a user; it notifies the owners and raises an alarm.
"portal" prints a link that opens the portal once within five minutes, to set up the domain, single sign-on or directory of the operators' own
company. "accept-factor" names the values of acr, amr or AuthnContextClassRef that replace the second factor in a sign-in through a connection.
"approve" approves a proposal where the stage has a single owner; an alarm is raised when the call is made.
${TARGET_USAGE}`;

await runCommand(USAGE, async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...targetOptions,
      role: { type: 'string' },
      environment: { type: 'string' },
      reason: { type: 'string' },
      value: { type: 'string', multiple: true },
    },
  });
  const [verb, email] = positionals;
  const { role, environment, reason, value: accepted = [] } = values;
  const run = findCommand(verb, email, { role, environment, reason, accepted });
  if (run === undefined) throw new CommandError(USAGE);
  const local = await aimAt(values);
  try {
    await provideOperatorsEnvironment();
    await run(local === undefined ? await readStageUrls(values.stage ?? '') : readLocalUrls(readUrl(values.data)));
  } catch (error) {
    throw error instanceof Failure ? new CommandError(error.message) : error;
  }
});

/** The public addresses of the API and of the console; undefined for a stage that was deployed without them. */
interface Urls {
  api: string | undefined;
  console: string | undefined;
}

function readLocalUrls(url: string): Urls {
  return { api: url, console: url };
}

async function readStageUrls(stage: string): Promise<Urls> {
  const found = await stageParameters(stage, ['base-url', 'console-url']);
  return { api: found['base-url'], console: found['console-url'] };
}

interface Given {
  role: string | undefined;
  environment: string | undefined;
  reason: string | undefined;
  accepted: readonly string[];
}

/** The work of a command, as a function of the addresses of the stage; undefined for a command line that makes no sense. */
type Work = ((urls: Urls) => Promise<void>) | undefined;

function findCommand(verb: string | undefined, subject: string | undefined, given: Given): Work {
  if (verb === 'list') return subject === undefined ? list : undefined;
  return findWorkOfStage(verb, subject, given) ?? findWorkOfOperator(verb, subject, given);
}

/** Finds the work of a command that names an environment, a connection or a proposal. */
function findWorkOfStage(verb: string | undefined, subject: string | undefined, given: Given): Work {
  const { environment, reason, accepted } = given;
  if (verb === 'break-glass' && subject === undefined && environment !== undefined && reason !== undefined)
    return (urls) => openEnvironment(environment, reason, urls);
  if (subject === undefined) return undefined;
  const intent = INTENTS.find((each) => each === subject);
  if (verb === 'portal' && intent !== undefined) return (urls) => openPortal(intent, urls);
  if (verb === 'accept-factor') return () => acceptFactor(subject, accepted);
  if (verb === 'approve' && environment !== undefined)
    return () =>
      change('The proposal is approved for 24 hours.', async () => void (await approveProposal(environment, subject)));
  return undefined;
}

/** Finds the work of a command that names the email address of an operator. */
function findWorkOfOperator(verb: string | undefined, email: string | undefined, { role, environment }: Given): Work {
  if (email === undefined || emailAddress(email) === undefined) return undefined;
  if (verb === 'link') return (urls) => link(email, undefined, urls);
  if (verb === 'revoke' && role === undefined && environment === undefined) return () => remove(email);
  if (role === undefined) return undefined;
  if (verb === 'invite' && environment === undefined) return (urls) => link(email, role, urls);
  if (verb === 'grant') return () => change(`${email} has the role.`, () => giveRole(email, role, environment));
  if (verb === 'revoke')
    return () => change(`${email} no longer has the role.`, () => takeRole(email, role, environment));
  return undefined;
}

function describeLink(path: string, url: string | undefined): string {
  return url === undefined
    ? `The link, below the output of the stage that names its address: ${path}`
    : `${url}${path}`;
}

async function link(email: string, role: string | undefined, urls: Urls): Promise<void> {
  const path = role === undefined ? await linkOperator(email) : await createConsoleLink({ email, role });
  console.log(describeLink(path, urls.console));
}

async function openEnvironment(environment: string, reason: string, urls: Urls): Promise<void> {
  const { path, notified } = await breakGlass(environment, reason);
  console.log(describeLink(path, urls.console));
  console.log(notified.length === 0 ? 'No owner was notified by mail.' : `Notified by mail: ${notified.join(', ')}.`);
}

async function openPortal(intent: Intent, urls: Urls): Promise<void> {
  console.log(describeLink(await createPortalLink(intent), urls.api));
}

async function acceptFactor(connectionId: string, values: readonly string[]): Promise<void> {
  const isChanged = await acceptSecondFactor(OPERATORS_ENVIRONMENT_ID, connectionId, values);
  if (!isChanged) throw new CommandError(`The operators have no connection ${connectionId}.`);
  console.log(values.length === 0 ? 'Every sign-in is asked for a second factor.' : `Accepted: ${values.join(', ')}.`);
}

async function change(result: string, work: () => Promise<void>): Promise<void> {
  await work();
  console.log(result);
}

async function remove(email: string): Promise<void> {
  const result = await removeOperator(email);
  console.log(
    result === 'removed'
      ? `${email} is no operator any more, and is signed out.`
      : `The invitation of ${email} is revoked, and its links have ended.`,
  );
}

async function list(): Promise<void> {
  const all = await listOperators();
  console.table(
    all.map(({ email, status, roles, environments }) => ({
      email,
      status,
      'all environments': roles.join(', '),
      'single environments': [...environments].map(([id, given]) => `${id}: ${given.join(', ')}`).join('; '),
    })),
  );
}

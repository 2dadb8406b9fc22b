import { Resolver } from 'node:dns/promises';

import { awaitAll } from '../../functions/kernel/concurrency.ts';
import { DAY_MS } from '../../functions/kernel/durations.ts';
import { consoleHost, type StageSettings } from '../stack/settings.ts';
import { AwsCalls, AwsError } from './aws-calls.ts';
import { type Finding, missing, note, ok } from '../../functions/record/modules/environment-attention/public.ts';
import type { DeployedStacks } from './stacks.ts';

/** Minimum days until the expiry of a certificate: AWS renews one 60 days before, so one with less time was not renewed. */
const RENEWED_DAYS = 30;
/** Time-out of a name server or the API in milliseconds. */
const LIMIT_MS = 10_000;

const ADVICE = 'Query the log group of the stage for level "error".';

/** A host name of the stage, and the target to which its DNS record must point. */
interface Name {
  host: string;
  /** The target; absent before the deployment. */
  target?: string | undefined;
}

/** The input of the checks of names. */
export interface NamesContext {
  settings: StageSettings;
  stacks: DeployedStacks;
  isProtected: boolean;
  /** The name servers to query; if absent, those of the system. */
  servers?: readonly string[] | undefined;
  /** The current time in milliseconds since the epoch. */
  now: number;
}

const readHost = (url: string | undefined): string | undefined =>
  url === undefined ? undefined : new URL(url).hostname;

/** The host names of a stage: the one for callers, behind CloudFront that of the API, and that of the console. */
const listNames = (context: NamesContext): Name[] => [...listApiNames(context), ...listConsoleNames(context)];

/** The console's own name; none for a console at a host name of AWS. */
function listConsoleNames({ settings, stacks: { service } }: NamesContext): Name[] {
  const { ConsoleDomainTarget: target, ConsoleUrl: url } = service?.outputs ?? {};
  const host = target === undefined ? settings.console && consoleHost(settings) : readHost(url);
  return typeof host === 'string' ? [{ host, target }] : [];
}

function listApiNames({ settings, stacks: { service, edge } }: NamesContext): Name[] {
  const { DomainTarget: target, ApiUrl: apiUrl } = service?.outputs ?? {};
  const host = target === undefined ? settings.domain : readHost(apiUrl);
  if (host === undefined) return [];
  if (edge === undefined && !settings.cloudfront) return [{ host, target }];
  const { originDomain } = settings;
  return [
    { host, target: edge?.outputs.DistributionDomainName },
    ...(originDomain === undefined ? [] : [{ host: originDomain, target }]),
  ];
}

/** Checks whether the stage has a name of its own, and all its certificates are issued. */
export async function checkCertificates(aws: AwsCalls, context: NamesContext): Promise<Finding[]> {
  const { settings, isProtected, now } = context;
  const names = listNames(context);
  if (names.length === 0) {
    const text = 'the stage has no name of its own: tokens and links name a host of AWS, and change with it';
    const next = `Request a certificate, and set "domain" and "certificateArn" of ${settings.stage} in cdk.json.`;
    return [isProtected ? missing('domain', text, next) : note('domain', text, next)];
  }
  const deployed = await awaitAll(names.map(({ host }) => findCertificate(aws, host)));
  const chosen = [
    settings.certificateArn,
    settings.cloudfront ? settings.edgeCertificateArn : undefined,
    settings.console ? settings.consoleCertificateArn : undefined,
  ];
  const arns = new Set([...deployed, ...chosen].filter((arn) => arn !== undefined));
  if (arns.size === 0) {
    return [
      missing(
        'certificate',
        `nothing says which certificate ${names[0]?.host} has`,
        'Set "certificateArn" in cdk.json.',
      ),
    ];
  }
  return awaitAll([...arns].map((arn) => checkCertificate(arn, now)));
}

/** The certificate of a host name of API Gateway. @returns undefined for a name that it does not have */
async function findCertificate(aws: AwsCalls, host: string): Promise<string | undefined> {
  interface DomainName {
    domainNameConfigurations?: { certificateArn?: string }[];
  }
  try {
    const found = await aws.get<DomainName>('apigateway', `/v2/domainnames/${encodeURIComponent(host)}`);
    return found.domainNameConfigurations?.[0]?.certificateArn;
  } catch (error) {
    if (error instanceof AwsError && error.name === 'NotFoundException') return undefined;
    throw error;
  }
}

/** A certificate as ACM describes it. */
interface Certificate {
  Status: string;
  DomainName: string;
  /** The expiry in seconds since the epoch. */
  NotAfter?: number;
  DomainValidationOptions?: {
    ValidationStatus?: string;
    ResourceRecord?: { Name: string; Type: string; Value: string };
  }[];
}

async function checkCertificate(CertificateArn: string, now: number): Promise<Finding> {
  const region = CertificateArn.split(':')[3] ?? '';
  const { Certificate: found } = await new AwsCalls(region).json<{ Certificate: Certificate }>(
    'acm',
    'CertificateManager.DescribeCertificate',
    { CertificateArn },
  );
  const { Status: status, DomainName: name, NotAfter, DomainValidationOptions: proofs = [] } = found;
  const days = NotAfter === undefined ? undefined : Math.floor((NotAfter * 1_000 - now) / DAY_MS);
  const records = proofs
    .filter(({ ValidationStatus }) => ValidationStatus !== 'SUCCESS')
    .flatMap(({ ResourceRecord: record }) =>
      record === undefined ? [] : [`${record.Name} ${record.Type} ${record.Value}`],
    );
  const add = ['Add this DNS record, and leave it there: AWS renews the certificate by it.', ...records];
  if (status === 'PENDING_VALIDATION') return missing('certificate', `that of ${name} is not issued yet`, ...add);
  if (status !== 'ISSUED') {
    return missing(
      'certificate',
      `that of ${name} is ${status}`,
      `$ aws acm request-certificate --domain-name ${name} --validation-method DNS --region ${region}`,
    );
  }
  if (days !== undefined && days < RENEWED_DAYS) {
    return missing('certificate', `that of ${name} ends in ${days} days and was not renewed`, ...add);
  }
  return ok('certificate', `that of ${name} is issued${days === undefined ? '' : `, for ${days} more days`}`);
}

/**
 * Explains to which domain the passkeys of the stage's users are bound, before a change of the domain makes them useless.
 * Browsers bind a passkey to the host on which it was created (Web Authentication, "RP ID").
 */
export function checkPasskeys({ settings, stacks: { service } }: NamesContext): Finding[] {
  const deployed = readHost(service?.outputs.ApiUrl);
  const next = settings.domain ?? deployed;
  if (deployed === undefined || next === undefined) return [];
  if (deployed === next) return [ok('passkeys', `passkeys are bound to ${deployed}`)];
  return [
    note(
      'passkeys',
      `passkeys are bound to ${deployed}; after the deployment to ${next} no browser offers them, and nothing can convert them`,
      'Before you deploy, enable another sign-in method in each environment: methods.magic_auth or methods.password of',
      '/x/authentication/settings. After it, the hosted pages offer new passkeys to users who sign in.',
    ),
  ];
}

/** Checks whether the DNS records of the stage point to it. */
export async function checkDns(context: NamesContext): Promise<Finding[]> {
  const resolver = new Resolver({ timeout: LIMIT_MS / 4, tries: 2 });
  if (context.servers !== undefined) resolver.setServers(context.servers);
  return awaitAll(listNames(context).map((name) => checkName(resolver, name)));
}

async function checkName(resolver: Resolver, { host, target }: Name): Promise<Finding> {
  if (target === undefined) return note('dns', `${host} gets its address from the deployment`);
  const [aliases, addresses, expected] = await awaitAll([
    respond(resolver.resolveCname(host)),
    respond(resolver.resolve4(host)),
    respond(resolver.resolve4(target)),
  ]);
  const isAlias = aliases.some((name) => name.replace(/\.$/, '').toLowerCase() === target.toLowerCase());
  // An alias record of Route 53 returns the addresses themselves.
  if (isAlias || addresses.some((address) => expected.includes(address)))
    return ok('dns', `${host} points at the stage`);
  const [found] = [...aliases, ...addresses];
  const text = found === undefined ? `${host} does not exist yet` : `${host} points at ${found}`;
  return missing('dns', text, 'Add this DNS record, or an alias record in Route 53:', `${host} CNAME ${target}`);
}

/** The records of a name; none if there is no such name or no such record. */
async function respond(asked: Promise<string[]>): Promise<string[]> {
  return asked.catch((error: unknown) => {
    if (['ENOTFOUND', 'ENODATA'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  });
}

/** Checks whether the stage responds at its public address, and its console at its own. */
export async function checkResponse({ settings, stacks: { service } }: NamesContext): Promise<Finding[]> {
  const { ApiUrl: url, ConsoleUrl: consoleUrl } = service?.outputs ?? {};
  if (url === undefined) return [];
  const status = await readStatus(`${url}/openapi.json`);
  const api =
    status === 200
      ? ok('response', `${url} responds`)
      : missing('response', `${url}/openapi.json responds with ${status}`, ADVICE);
  return consoleUrl === undefined
    ? [api]
    : [api, checkConsole(consoleUrl, await readStatus(`${consoleUrl}/console`), settings)];
}

/** Explains the response of the console to a client without a session: 401, or 403 outside of its networks. */
function checkConsole(url: string, status: number, { consoleNetworks }: StageSettings): Finding {
  if (status === 401)
    return ok('console', `${url}/console responds${consoleNetworks === undefined ? '' : ', also to this network'}`);
  if (status === 403)
    return note(
      'console',
      `${url}/console is not open to this network`,
      `Its networks are "consoleNetworks" of the stage in cdk.json${consoleNetworks === undefined ? '' : `: ${consoleNetworks}`}. A deployment changes them.`,
    );
  return missing('console', `${url}/console responds with ${status}`, ADVICE);
}

async function readStatus(url: string): Promise<number> {
  const response = await fetch(url, { signal: AbortSignal.timeout(LIMIT_MS) });
  await response.body?.cancel();
  return response.status;
}

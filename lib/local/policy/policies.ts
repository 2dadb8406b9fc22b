import { grantsOfNeeds, grantsOfSource, type Resources } from '../../topology/grants.ts';
import type { Topology } from '../../topology/model.ts';
import { account, region } from '../aws-json.ts';
import type { Invocation } from '../invocations.ts';
import { bucketNameOf } from '../queues.ts';
import { BUS_NAME } from '../sources/rules.ts';
import { tableNameOf } from '../table/tables.ts';
import { type Engine, listAsks, type Names } from './asks.ts';
import { compilePolicy, type ConditionKeys, type Policy } from './evaluate.ts';

const STAGE = 'local';

const arnOf = (service: string, name: string): string => `arn:aws:${service}:${region}:${account}:${name}`;

/** The ARNs of the stage's keys. */
export interface OwnKeys {
  kmsKey: string;
  evidenceKey: string;
}

/**
 * The policies of all functions: the statements that a stage deploys, with the names of the local service. Each call of a function is
 * evaluated by them.
 */
export class Policies {
  readonly #topology: Topology;
  readonly #resources: Resources;
  readonly #names: Names;
  /** The policies that were compiled, by the names of the functions. */
  readonly #policies = new Map<string, Policy>();
  readonly #denied = new Set<string>();

  constructor(topology: Topology, own: OwnKeys) {
    this.#topology = topology;
    this.#resources = makeResources(topology, own);
    this.#names = {
      arnOf,
      keyArn: (name) => (name.startsWith('arn:') ? name : arnOf('kms', `key/${name}`)),
      listKeys: (arn) => listKeys(arn, own),
    };
  }

  /**
   * Evaluates a call of a function.
   * @returns the reason for which it is denied; undefined if it is allowed, or if no function made it
   */
  deny(invocation: Invocation | undefined, engine: Engine, operation: string, input: object): string | undefined {
    if (invocation === undefined) return undefined;
    const { functionName } = invocation;
    const isAllowed = this.#policyOf(functionName);
    for (const ask of listAsks(this.#names, engine, operation, input)) {
      if (isAllowed(ask)) continue;
      const { action, keys } = ask;
      const what = [keys['dynamodb:LeadingKeys'], keys['kms:EncryptionContext:purpose']].flat().find(Boolean);
      const reason = `${functionName} may not call ${action}${what === undefined ? '' : ` for ${what}`}`;
      this.#denied.add(reason);
      return `${reason}: see "Permissions" in lib/stack/README.md`;
    }
    return undefined;
  }

  /** The calls that were denied since this was last called. */
  takeDenied(): string[] {
    const denied = [...this.#denied];
    this.#denied.clear();
    return denied;
  }

  #policyOf(name: string): Policy {
    const known = this.#policies.get(name);
    if (known !== undefined) return known;
    const description = this.#topology.functions.find((each) => each.name === name);
    if (description === undefined) throw new Error(`The topology has no function ${name}`);
    const policy = compilePolicy([
      ...grantsOfNeeds(description, this.#resources),
      ...grantsOfSource(description.source, this.#resources),
    ]);
    this.#policies.set(name, policy);
    return policy;
  }
}

function makeResources(topology: Topology, { kmsKey, evidenceKey }: OwnKeys): Resources {
  const table = (name: 'records' | 'keys') => arnOf('dynamodb', `table/${tableNameOf({ name })}`);
  return {
    stage: STAGE,
    partition: 'aws',
    accountId: account,
    arnOf,
    recordsTable: () => table('records'),
    recordsStream: () => `${table('records')}/stream/local`,
    keyTable: () => table('keys'),
    kmsKey: () => kmsKey,
    evidenceKey: () => evidenceKey,
    bucket: (name) => `arn:aws:s3:::${bucketNameOf({ name })}`,
    bus: arnOf('events', `event-bus/${BUS_NAME}`),
    queues: Object.fromEntries(topology.queues.map(({ name }) => [name, arnOf('sqs', name)])),
    relayDeadLetters: arnOf('sqs', 'relay-dead-letters'),
    workerDeadLetters: arnOf('sqs', 'workers-dead-letters'),
    mailAddress: '',
    mailSet: '',
  };
}

/**
 * The condition keys of a KMS key. The local KMS stores no tags: each key that is not one of the stage's own counts as one that the
 * vault made for an organization.
 */
function listKeys(arn: string, { kmsKey, evidenceKey }: OwnKeys): ConditionKeys {
  const owner = { 'aws:ResourceAccount': arn.split(':')[4] ?? account };
  if (arn === kmsKey || arn === evidenceKey) return owner;
  return {
    ...owner,
    'aws:ResourceTag/gatehouse:stage': STAGE,
    'aws:ResourceTag/gatehouse:organization': 'org',
  };
}

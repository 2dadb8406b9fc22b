import { Aws } from 'aws-cdk-lib';
import type * as events from 'aws-cdk-lib/aws-events';
import * as iam from 'aws-cdk-lib/aws-iam';

import type { Resources, Statement } from '../topology/grants.ts';
import type { Topology } from '../topology/model.ts';
import type { Data } from './data.ts';
import { arnOf, makeMailSet } from './names.ts';
import type { Queues } from './queues.ts';
import type { StageSettings } from './settings.ts';

/** Permission to write the log of a function. */
export const logGrant = ({ logGroupArn }: { logGroupArn: string }): iam.PolicyStatement =>
  new iam.PolicyStatement({ actions: ['logs:CreateLogStream', 'logs:PutLogEvents'], resources: [logGroupArn] });

/** A statement of the topology as a construct. */
export const toPolicyStatement = ({ effect, actions, resources, conditions }: Statement): iam.PolicyStatement =>
  new iam.PolicyStatement({
    effect: effect === 'Allow' ? iam.Effect.ALLOW : iam.Effect.DENY,
    actions: [...actions],
    resources: [...resources],
    ...(conditions === undefined ? {} : { conditions }),
  });

/** The resources of grants, in either stack of functions. */
export function listResources({
  topology,
  settings: { stage, mailFrom },
  data,
  bus,
  queues,
}: {
  topology: Topology;
  settings: StageSettings;
  data: Data;
  bus: Pick<events.IEventBus, 'eventBusArn'>;
  queues: Queues;
}): Resources {
  return {
    ...data,
    stage,
    partition: Aws.PARTITION,
    accountId: Aws.ACCOUNT_ID,
    arnOf,
    bus: bus.eventBusArn,
    queues: Object.fromEntries(topology.queues.map(({ name }) => [name, queues.of(name).queueArn])),
    relayDeadLetters: queues.relayDeadLetters.queueArn,
    workerDeadLetters: queues.workerDeadLetters.queueArn,
    mailAddress: readMailAddress(mailFrom),
    mailSet: makeMailSet(stage),
  };
}

/**
 * The address in a sender such as `Gatehouse <no-reply@example.com>`.
 * @throws Error if there is none
 */
export function readMailAddress(mailFrom: string): string {
  const address = /<([^>]+)>/.exec(mailFrom)?.[1] ?? mailFrom.trim();
  if (!/^[^@\s]+@[^@\s]+$/.test(address)) throw new Error(`-c mailFrom: ${mailFrom} has no address`);
  return address;
}

import { Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

import type { FunctionDescription } from '../topology/model.ts';
import { alarmsTo, topicOf } from './alarms.ts';
import { dataOf } from './data-stack.ts';
import { variableValues } from './environment.ts';
import { FunctionFactory } from './functions.ts';
import { grantsOfSource, resourcesOf } from './grants.ts';
import { busNameOf, logGroupNameOf } from './names.ts';
import { queuesOf } from './queues.ts';
import type { ServiceProps } from './service-stack.ts';
import { connect, connectSchedule } from './triggers.ts';
import { addWorkerAlarms } from './worker-alarms.ts';

/**
 * The functions that are not started by requests, in a stack of their own: together with those of the API they would
 * exceed CloudFormation's limit of resources. It is deployed after the service stack, and finds its bus, queues, log
 * and topic by their names.
 */
export class WorkersStack extends Stack {
  constructor(scope: Construct, id: string, { topology, settings, codeOf }: ServiceProps, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    const { stage } = settings;
    const data = dataOf(this, settings);
    const bus = events.EventBus.fromEventBusName(this, 'Bus', busNameOf(stage));
    const queues = queuesOf(this, stage, topology.queues);
    const logGroup = logs.LogGroup.fromLogGroupName(this, 'Logs', logGroupNameOf(stage));
    const resources = resourcesOf({ topology, settings, data, bus, queues });
    const functions = new FunctionFactory({
      stack: this,
      stage,
      canary: settings.protect,
      rollback: settings.rollback,
      codeOf,
      resources,
      logGroup,
      environmentOf: variableValues({
        topology,
        settings,
        data,
        busName: bus.eventBusName,
        baseUrl: data.baseUrl,
        edgeDigests: () => '',
        queues,
      }),
    });
    const addAlarm = alarmsTo(this, settings, topicOf(this, settings));
    const alarmsOf = addWorkerAlarms(addAlarm, { topology, settings, queues });
    const context = { bus, streamArn: data.recordsStream, queues, enabled: !settings.paused };
    for (const description of topology.functions.filter(({ source }) => source.kind !== 'http')) {
      const { name, source } = description;
      const given = { statements: grantsOfSource(source, resources), reserved: reservedOf(description) };
      // A tenth of one run a minute is too little for a canary: a schedule's function has neither versions nor an
      // alias.
      if (source.kind === 'schedule') {
        connectSchedule(context, source, functions.add(description, given));
        continue;
      }
      const deployed = functions.addVersioned(description, given);
      functions.roll(deployed, alarmsOf(name));
      connect(context, description, deployed);
    }
  }
}

/** A queue's worker is limited by its pollers, a stream's by its shards. */
function reservedOf({ source, concurrency }: FunctionDescription): number | undefined {
  return source.kind === 'queue' || source.kind === 'stream' ? undefined : concurrency;
}

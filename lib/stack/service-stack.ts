import { CfnOutput, Fn, RemovalPolicy, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';

import type { FunctionDescription, Topology } from '../topology/model.ts';
import { addAlarms } from './alarms.ts';
import { addApi, retentionOf } from './api.ts';
import { dataOf } from './data-stack.ts';
import { addEdgeDigests } from './edge-secret.ts';
import { variableValues } from './environment.ts';
import { addFirstKey } from './first-key.ts';
import { type CodeOf, FunctionFactory } from './functions.ts';
import { grantsOfSource, mailAddressOf, type Resources } from './grants.ts';
import { busNameOf } from './names.ts';
import { addQueues } from './queues.ts';
import type { StageSettings } from './settings.ts';
import { connect } from './triggers.ts';

/** What a deployment replaces: API, functions, bus, queues, alarms. */
export class ServiceStack extends Stack {
  constructor(
    scope: Construct,
    id: string,
    { topology, settings, codeOf }: { topology: Topology; settings: StageSettings; codeOf: CodeOf },
    props: StackProps,
  ) {
    super(scope, id, props);
    const { stage } = settings;
    const data = dataOf(this, settings);
    const bus = new events.EventBus(this, 'Bus', { eventBusName: busNameOf(stage) });
    const queues = addQueues(this, stage, topology.queues);
    // One group for all functions: one query follows a request, and what it set off, through every area.
    const logGroup = new logs.LogGroup(this, 'Logs', {
      logGroupName: `/gatehouse/${stage}`,
      retention: retentionOf(settings),
      removalPolicy: RemovalPolicy.DESTROY,
    });
    const api = addApi(this, topology, settings);
    const resources: Resources = {
      data,
      indexes: topology.tables.find(({ name }) => name === 'records')?.indexes.map(({ name }) => name) ?? [],
      bus: bus.eventBusArn,
      queues: Object.fromEntries(topology.queues.map(({ name }) => [name, queues.of(name).queueArn])),
      relayDeadLetters: queues.relayDeadLetters.queueArn,
      workerDeadLetters: queues.workerDeadLetters.queueArn,
      stage: settings.stage,
      mailAddress: mailAddressOf(settings.mailFrom),
    };
    let edgeDigests = '';
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
        baseUrl: api.baseUrl,
        edgeDigests: () => edgeDigests,
        queueUrls: Object.fromEntries(topology.queues.map(({ name }) => [name, queues.of(name).queueUrl])),
      }),
    });
    if (settings.cloudfront) {
      edgeDigests = addEdgeDigests(this, { settings, functions, logGroup, secretOf: data.edgeSecret });
    }
    const alarms = addAlarms(this, {
      topology,
      settings,
      apiId: api.id,
      recordsTableName: Fn.select(1, Fn.split('/', data.recordsTable())),
      queues,
      logGroup,
    });

    for (const description of topology.functions) {
      const { name, source } = description;
      const isHttp = source.kind === 'http';
      const deployed = functions.add(description, {
        statements: grantsOfSource(source, resources),
        reserved: reservedOf(description, settings),
      });
      functions.roll(deployed, isHttp ? alarms.api : alarms.worker(name));
      if (isHttp) api.admit(deployed.alias);
      else
        connect(
          { stack: this, bus, streamArn: data.recordsStream, queues, enabled: !settings.paused },
          description,
          deployed,
        );
    }
    addFirstKey(this, functions, data.firstKeySecret());
    new CfnOutput(this, 'ApiUrl', { value: api.baseUrl, description: 'Base URL for clients.' });
    new CfnOutput(this, 'LogGroupName', { value: logGroup.logGroupName });
  }
}

/**
 * How many executions are set aside for a function: they are taken from the account's, so only where a number is
 * stated. A queue's worker is held by its pollers, a stream's by its shards.
 */
function reservedOf(
  { source, concurrency }: FunctionDescription,
  { areaConcurrency }: StageSettings,
): number | undefined {
  if (source.kind === 'queue' || source.kind === 'stream') return undefined;
  return concurrency ?? (source.kind === 'http' ? areaConcurrency : undefined);
}

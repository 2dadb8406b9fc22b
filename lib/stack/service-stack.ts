import { Annotations, CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';

import type { Topology } from '../topology/model.ts';
import { addTopic, alarmsTo } from './alarms.ts';
import { addApiAlarms } from './api-alarms.ts';
import { addApi, removalOf, retentionOf } from './api.ts';
import { dataOf, parameterName } from './data-stack.ts';
import { addEdgeDigests } from './edge-secret.ts';
import { variableValues } from './environment.ts';
import { addFirstKey } from './first-key.ts';
import { type CodeOf, FunctionFactory } from './functions.ts';
import { resourcesOf } from './grants.ts';
import { addMail, FEEDBACK_QUEUE } from './mail.ts';
import { busNameOf, logGroupNameOf } from './names.ts';
import { addQueues } from './queues.ts';
import type { StageSettings } from './settings.ts';

/** The options of a stack of functions. */
export interface ServiceProps {
  topology: Topology;
  settings: StageSettings;
  codeOf: CodeOf;
}

/** The API with its functions, and the resources that workers need: bus, queues, the log, the topic of alarms. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { topology, settings, codeOf }: ServiceProps, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    const { stage } = settings;
    warnOfSilence(this, settings);
    const data = dataOf(this, settings);
    const bus = new events.EventBus(this, 'Bus', { eventBusName: busNameOf(stage) });
    const queues = addQueues(this, settings, topology.queues, bus);
    // One log group for all functions: one query follows a request and its events through every area.
    const logGroup = new logs.LogGroup(this, 'Logs', {
      logGroupName: logGroupNameOf(stage),
      retention: retentionOf(settings),
      removalPolicy: removalOf(settings),
    });
    addMail(this, settings, queues.of(FEEDBACK_QUEUE));
    const api = addApi(this, topology, settings);
    new ssm.StringParameter(this, 'Parameter-base-url', {
      parameterName: parameterName(stage, 'base-url'),
      stringValue: api.baseUrl,
    });
    let edgeDigests = '';
    const functions = new FunctionFactory({
      stack: this,
      stage,
      canary: settings.protect,
      rollback: settings.rollback,
      codeOf,
      resources: resourcesOf({ topology, settings, data, bus, queues }),
      logGroup,
      environmentOf: variableValues({
        topology,
        settings,
        data,
        busName: bus.eventBusName,
        baseUrl: () => api.baseUrl,
        edgeDigests: () => edgeDigests,
        queues,
      }),
    });
    if (settings.cloudfront) {
      edgeDigests = addEdgeDigests(this, { settings, functions, logGroup, secretOf: data.edgeSecret });
    }
    const addAlarm = alarmsTo(this, settings, addTopic(this, settings));
    const alarms = addApiAlarms(this, addAlarm, {
      topology,
      settings,
      apiId: api.id,
      recordsTableName: Fn.select(1, Fn.split('/', data.recordsTable())),
      logGroup,
    });
    for (const description of topology.functions.filter(({ source }) => source.kind === 'http')) {
      // Reserved concurrency is taken from the account's, so it is only set if configured.
      const reserved = description.concurrency ?? settings.areaConcurrency;
      const deployed = functions.addVersioned(description, { reserved });
      functions.roll(deployed, alarms);
      api.admit(deployed.alias);
    }
    addFirstKey(this, functions, data.firstKeySecret());
    new CfnOutput(this, 'ApiUrl', { value: api.baseUrl, description: 'Base URL for clients.' });
    new CfnOutput(this, 'LogGroupName', { value: logGroup.logGroupName });
  }
}

/**
 * Warns about settings that a production stage needs: without them, faults are not reported, or codes and links are not
 * delivered.
 */
function warnOfSilence(stack: Stack, { protect, alarmEmail, mailFrom }: StageSettings): void {
  if (!protect) return;
  const warn = (id: string, message: string) => Annotations.of(stack).addWarningV2(`gatehouse:${id}`, message);
  if (alarmEmail === undefined) warn('alarmEmail', 'No one receives alarms. Set -c alarmEmail.');
  if (mailFrom.includes('gatehouse.invalid'))
    warn('mailFrom', 'No mail leaves the stage. Set -c mailFrom to a sender that SES knows.');
}

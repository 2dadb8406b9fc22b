import { Annotations, CfnOutput, Fn, Stack, type StackProps } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as logs from 'aws-cdk-lib/aws-logs';
import * as ssm from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';

import { addTopic, alarmsTo } from './alarms.ts';
import { addApiAlarms } from './api-alarms.ts';
import { addApi, addConsoleApi, isOwnApi, removalOf, retentionOf } from './api.ts';
import { importData, parameterName } from './data-stack.ts';
import { addBeforeTraffic, addDeployments } from './deployments.ts';
import { addEdgeDigests } from './edge-secret.ts';
import { addFirstKey } from './first-key.ts';
import { FunctionFactory, type ServiceProps } from './functions.ts';
import { addMail, FEEDBACK_QUEUE } from './mail.ts';
import { busNameOf, logGroupNameOf } from './names.ts';
import { addQueues } from './queues.ts';
import { hasSender, type StageSettings } from './settings.ts';

/** The API with its functions, and the resources that workers need: bus, queues, the log, the topic of alarms. */
export class ServiceStack extends Stack {
  constructor(scope: Construct, id: string, { topology, settings, bundledCode }: ServiceProps, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    const { stage } = settings;
    warnOfSilence(this, settings);
    const data = importData(this, settings);
    const bus = new events.EventBus(this, 'Bus', { eventBusName: busNameOf(stage) });
    const queues = addQueues(this, settings, topology.queues, bus);
    // All functions share one log group, so that one query finds a request and its events in every area.
    const logGroup = new logs.LogGroup(this, 'Logs', {
      logGroupName: logGroupNameOf(stage),
      retention: retentionOf(settings),
      removalPolicy: removalOf(settings),
    });
    addMail(this, settings, queues.of(FEEDBACK_QUEUE));
    const api = addApi(this, topology, settings);
    const consoleApi = addConsoleApi(this, topology, settings);
    const published = [
      ['base-url', api.baseUrl] as const,
      ['api-id', api.id] as const,
      ...(consoleApi === undefined ? [] : [['console-url', consoleApi.baseUrl] as const]),
    ];
    for (const [name, stringValue] of published) {
      new ssm.StringParameter(this, `Parameter-${name}`, { parameterName: parameterName(stage, name), stringValue });
    }
    let edgeDigests = '';
    const functions = new FunctionFactory({
      stack: this,
      topology,
      settings,
      bundledCode,
      data,
      bus,
      queues,
      logGroup,
      baseUrl: () => api.baseUrl,
      consoleUrl: () => consoleApi?.baseUrl ?? '',
      edgeDigests: () => edgeDigests,
    });
    if (settings.cloudfront) {
      edgeDigests = addEdgeDigests(this, { settings, functions, logGroup, secretOf: data.edgeSecret });
    }
    const addAlarm = alarmsTo(this, settings, addTopic(this, settings));
    addApiAlarms(this, addAlarm, {
      topology,
      settings,
      apiId: api.id,
      consoleApiId: consoleApi?.id,
      recordsTableName: Fn.select(1, Fn.split('/', data.recordsTable())),
      logGroup,
    });
    addBeforeTraffic(this, functions, settings);
    const roll = addDeployments(this, settings);
    for (const description of topology.functions.filter(({ source }) => source.kind === 'http')) {
      const deployed = functions.addVersioned(description);
      roll(deployed, description);
      (isOwnApi(description) ? consoleApi : api)?.admit(deployed.alias);
    }
    addFirstKey(this, functions, data.firstKeySecret());
    new CfnOutput(this, 'ApiUrl', { value: api.baseUrl, description: 'Base URL for clients.' });
    if (consoleApi !== undefined)
      new CfnOutput(this, 'ConsoleUrl', { value: consoleApi.baseUrl, description: 'The console is at /console.' });
    new CfnOutput(this, 'LogGroupName', { value: logGroup.logGroupName });
  }
}

/**
 * Warns about settings that a production stage needs: without them, failures are not reported, or codes and links are not
 * delivered.
 */
function warnOfSilence(stack: Stack, settings: StageSettings): void {
  if (!settings.protect) return;
  const warn = (id: string, message: string) => Annotations.of(stack).addWarningV2(`gatehouse:${id}`, message);
  if (settings.alarmEmail === undefined) warn('alarmEmail', 'No one receives alarms. Set -c alarmEmail.');
  if (settings.console && settings.domain !== undefined && settings.consoleCertificateArn === undefined) {
    warn(
      'console',
      `The console keeps its host name of AWS. Set -c consoleCertificateArn for console.${settings.domain}.`,
    );
  }
  if (!hasSender(settings)) warn('mailFrom', 'No mail leaves the stage. Set -c mailFrom to a sender that SES knows.');
}

import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';

import { EDGED, fixture, findResources, synthesise, type Synthesised } from './fixture.ts';
import { Reading } from './reading.ts';

const NETWORKS = '192.0.2.0/24,2001:db8::/32';
const preview = synthesise(fixture, { stage: 'pr-17' });
const edged = synthesise(fixture, { ...EDGED, consoleNetworks: NETWORKS });

describe('The console', () => {
  const listAlarms = () =>
    Object.values(findResources(preview.service, 'AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties);
  const listApis = (service: Template) => Object.values(findResources(service, 'AWS::ApiGatewayV2::Api'));
  const readVariable = (stage: Synthesised, name: string, of = 'console-http') =>
    (
      new Reading(stage, stage === edged ? 'staging' : 'pr-17').functions.get(of)?.properties.Environment as {
        Variables: Record<string, unknown>;
      }
    ).Variables[name];

  test('has an HTTP API and a host name of its own in every stage, and the API has none of its routes', () => {
    const [api, own] = listApis(preview.service).map(({ Properties }) => JSON.stringify(Properties.Body));
    expect(own).toContain('"/console/{path+}"');
    expect(api).not.toContain('/console');
    expect(listApis(preview.service).map(({ Properties }) => Properties.DisableExecuteApiEndpoint)).toEqual([
      false,
      false,
    ]);
    const address = { 'Fn::GetAtt': ['ConsoleApi', 'ApiEndpoint'] };
    expect(readVariable(preview, 'GATEHOUSE_CONSOLE_URL')).toEqual(address);
    expect(readVariable(preview, 'GATEHOUSE_CONSOLE_URL', 'houses-http')).toEqual(address);
    expect(readVariable(preview, 'GATEHOUSE_BASE_URL')).not.toEqual(address);
    expect(Object.values(preview.service.findOutputs('ConsoleUrl'))).toMatchObject([{ Value: address }]);
  });

  test('of a stage with a domain and a certificate for it is at console.<domain> only, which leads to nothing else', () => {
    const domains = Object.entries(findResources(edged.service, 'AWS::ApiGatewayV2::DomainName'));
    expect(domains.map(([, { Properties }]) => Properties.DomainName)).toEqual([
      'origin.api.example.com',
      'console.api.example.com',
    ]);
    const mappings = Object.values(findResources(edged.service, 'AWS::ApiGatewayV2::ApiMapping')).map(
      ({ Properties }) => [(Properties.DomainName as { Ref: string }).Ref, (Properties.ApiId as { Ref: string }).Ref],
    );
    expect(mappings).toEqual([
      [domains[0]?.[0], 'Api'],
      [domains[1]?.[0], 'ConsoleApi'],
    ]);
    expect(listApis(edged.service).map(({ Properties }) => Properties.DisableExecuteApiEndpoint)).toEqual([true, true]);
    expect(readVariable(edged, 'GATEHOUSE_CONSOLE_URL', 'houses-http')).toBe('https://console.api.example.com');
  });

  test('keeps its host name of AWS in a stage with a domain and no certificate for it', () => {
    const { service } = synthesise(fixture, { ...EDGED, consoleCertificateArn: undefined });
    expect(listApis(service).map(({ Properties }) => Properties.DisableExecuteApiEndpoint)).toEqual([true, false]);
  });

  test('takes the address of a client from its own gateway behind CloudFront too, and its networks from the setting', () => {
    expect(readVariable(edged, 'GATEHOUSE_EDGE_DIGESTS')).toBeUndefined();
    expect(readVariable(edged, 'GATEHOUSE_CONSOLE_NETWORKS')).toBe(NETWORKS);
    expect(readVariable(edged, 'GATEHOUSE_CONSOLE_NETWORKS', 'houses-http')).toBeUndefined();
    expect(readVariable(preview, 'GATEHOUSE_CONSOLE_NETWORKS')).toBe('');
  });

  test('is throttled and logged like the API, and an alarm observes its faults and its latency', () => {
    const stages = Object.values(findResources(preview.service, 'AWS::ApiGatewayV2::Stage')).map(
      ({ Properties }) => Properties,
    );
    expect(stages).toHaveLength(2);
    expect(stages[1]?.DefaultRouteSettings).toEqual(stages[0]?.DefaultRouteSettings);
    const format = (stage: (typeof stages)[number] | undefined) =>
      (stage?.AccessLogSettings as { Format: string }).Format;
    expect(format(stages[1])).toBe(format(stages[0]));
    const groups = stages.map((stage) => (stage.AccessLogSettings as { DestinationArn: unknown }).DestinationArn);
    expect(groups[0]).not.toEqual(groups[1]);
    for (const name of ['api-faults', 'api-latency']) {
      const alarm = listAlarms().find(({ AlarmName }) => AlarmName === `gatehouse-pr-17-${name}`);
      expect(JSON.stringify(alarm?.Metrics)).toContain('{"Ref":"ConsoleApi"}');
    }
  });

  test('is left out by -c console=false, with its address', () => {
    const without = synthesise(fixture, { stage: 'pr-17', console: 'false' });
    const text = JSON.stringify(without.service.toJSON());
    expect(listApis(without.service)).toHaveLength(1);
    expect(text).not.toContain('/console');
    expect(text).not.toContain('console-http');
    expect(readVariable(without, 'GATEHOUSE_CONSOLE_URL', 'houses-http')).toBe('');
  });
});

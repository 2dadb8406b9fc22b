import { describe, expect, test } from '@jest/globals';
import type { Template } from 'aws-cdk-lib/assertions';
import { runInNewContext } from 'node:vm';

import { EDGED, fixture, findResources, type Synthesised, synthesise } from './fixture.ts';
import { Reading } from './reading.ts';

const edged = synthesise(fixture, EDGED);

describe('The authentication of CloudFront', () => {
  const makeEdge = (template: Template | undefined) => {
    if (template === undefined) throw new Error('there is no CloudFront');
    return template;
  };
  const formatText = (template: Template | undefined) => JSON.stringify(makeEdge(template).toJSON());
  const makeVariables = (stage: Pick<Synthesised, 'service' | 'workers'>, name: string) =>
    (
      new Reading(stage, 'staging').functions.get(name)?.properties.Environment as {
        Variables: Record<string, unknown>;
      }
    ).Variables;

  test('a secret that is in no template is sent with each request to the origin', () => {
    const [distribution] = Object.values(findResources(makeEdge(edged.edge), 'AWS::CloudFront::Distribution'));
    const { Origins } = distribution?.Properties.DistributionConfig as { Origins: { OriginCustomHeaders: unknown }[] };
    expect(Origins.map(({ OriginCustomHeaders }) => OriginCustomHeaders)).toEqual([
      [
        {
          HeaderName: 'x-gatehouse-edge',
          HeaderValue: '{{resolve:secretsmanager:gatehouse-staging-edge-1:SecretString}}',
        },
      ],
    ]);
  });

  test('the function at the edge overwrites the address header of the viewer', () => {
    const [found] = Object.values(findResources(makeEdge(edged.edge), 'AWS::CloudFront::Function'));
    const { handler } = runInNewContext(`${String(found?.Properties.FunctionCode)}; ({ handler })`) as {
      handler: (event: unknown) => unknown;
    };
    const sent = { value: '203.0.113.1', multiValue: [{ value: '203.0.113.1' }, { value: '203.0.113.2' }] };
    const event = {
      viewer: { ip: '198.51.100.10' },
      request: { headers: { 'x-gatehouse-viewer': sent, accept: { value: '*/*' } } },
    };
    expect(JSON.parse(JSON.stringify(handler(event)))).toEqual({
      headers: { 'x-gatehouse-viewer': { value: '198.51.100.10' }, accept: { value: '*/*' } },
    });
    expect(formatText(edged.edge)).toContain('"EventType":"viewer-request"');
  });

  test('the location of the viewer comes from CloudFront only, and only with the setting for it', () => {
    const placed = synthesise(fixture, { ...EDGED, viewerPlace: 'true' });
    const [found] = Object.values(findResources(makeEdge(placed.edge), 'AWS::CloudFront::Function'));
    const code = String(found?.Properties.FunctionCode).replace("import cf from 'cloudfront';", '');
    const updates: unknown[] = [];
    const cf = { updateRequestOrigin: (update: unknown) => updates.push(update) };
    const { handler } = runInNewContext(`${code}; ({ handler })`, { cf }) as { handler: (event: unknown) => unknown };
    const headers = {
      'cloudfront-viewer-country': { value: 'DE' },
      'cloudfront-viewer-latitude': { value: '52.52' },
      'x-gatehouse-place': { value: 'AU,-33.87,151.21' },
    };
    const event = { viewer: { ip: '198.51.100.10' }, request: { headers: { ...headers } } };
    expect(JSON.parse(JSON.stringify(handler(event)))).toMatchObject({
      headers: { 'x-gatehouse-viewer': { value: '198.51.100.10' }, 'x-gatehouse-place': { value: 'DE,52.52,' } },
    });
    expect(updates).toEqual([{ hostHeader: EDGED.originDomain }]);
    const [policy] = Object.values(findResources(makeEdge(placed.edge), 'AWS::CloudFront::OriginRequestPolicy'));
    expect(policy?.Properties).toMatchObject({
      OriginRequestPolicyConfig: {
        HeadersConfig: {
          HeaderBehavior: 'allViewerAndWhitelistCloudFront',
          Headers: ['CloudFront-Viewer-Country', 'CloudFront-Viewer-Latitude', 'CloudFront-Viewer-Longitude'],
        },
        CookiesConfig: { CookieBehavior: 'all' },
        QueryStringsConfig: { QueryStringBehavior: 'all' },
      },
    });
    // Without the setting a viewer's own headers of these names are never read.
    const [plain] = Object.values(findResources(makeEdge(edged.edge), 'AWS::CloudFront::Function'));
    const without = runInNewContext(`${String(plain?.Properties.FunctionCode)}; ({ handler })`) as {
      handler: (event: unknown) => unknown;
    };
    const request = { headers: { ...headers } };
    expect(JSON.stringify(without.handler({ ...event, request }))).not.toContain('x-gatehouse-place');
  });

  test('is not bypassed by the cache: no response of an error is kept for other callers', () => {
    const [distribution] = Object.values(findResources(makeEdge(edged.edge), 'AWS::CloudFront::Distribution'));
    const { CustomErrorResponses, DefaultCacheBehavior } = distribution?.Properties.DistributionConfig as {
      CustomErrorResponses: { ErrorCode: number }[];
      DefaultCacheBehavior: object;
    };
    expect(CustomErrorResponses).toEqual(
      [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504].map((ErrorCode) => ({
        ErrorCode,
        ErrorCachingMinTTL: 0,
      })),
    );
    // The id is that of AWS's policy "CachingDisabled", which also keeps CloudFront from sending one response to several requests.
    expect(DefaultCacheBehavior).toMatchObject({ CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad' });
  });

  test('functions have only digests of the secrets, and only one function may read the secrets', () => {
    const digests = makeVariables(edged, 'houses-http').GATEHOUSE_EDGE_DIGESTS;
    expect(digests).toEqual({ 'Fn::GetAtt': ['EdgeDigests1', 'digests'] });
    expect(formatText(edged.service)).not.toContain('resolve:secretsmanager');
    const readers = [...new Reading(edged, 'staging').functions.values()].filter(({ grants }) =>
      [...grants].some((grant) => grant.startsWith('secretsmanager:GetSecretValue') && /edgesecret/.test(grant)),
    );
    expect(readers.map(({ name }) => name)).toEqual(['stage-edge-digests']);
    expect(makeVariables(edged, 'letters-sweep')).not.toHaveProperty('GATEHOUSE_EDGE_DIGESTS');
  });

  test('a new secret is accepted before CloudFront sends it, and the previous one is kept for a rollback', () => {
    const next = synthesise(fixture, { ...EDGED, edgeSecret: '2' });
    const accepted = (stage: Synthesised) =>
      Object.values(findResources(stage.service, 'Custom::EdgeDigests')).map(({ Properties }) =>
        [...JSON.stringify(Properties.secrets).matchAll(/edgesecret(\d+)C96584/g)].map(([, generation]) => generation),
      );
    expect([accepted(edged), accepted(next)]).toEqual([[['1', '2']], [['2', '3']]]);
    expect(formatText(next.edge)).toContain('resolve:secretsmanager:gatehouse-staging-edge-2:SecretString');
    const names = Object.values(findResources(next.data, 'AWS::SecretsManager::Secret')).map(
      ({ Properties }) => Properties.Name,
    );
    expect(names).toEqual(
      expect.arrayContaining([1, 2, 3].map((generation) => `gatehouse-staging-edge-${generation}`)),
    );
    // A function is deployed again only if its template changes.
    expect(makeVariables(next, 'houses-http').GATEHOUSE_EDGE_DIGESTS).toEqual({
      'Fn::GetAtt': ['EdgeDigests2', 'digests'],
    });
  });

  test('CloudFront is deployed before the functions that require its secret, and after the secret', () => {
    expect(edged.deployedAfter.edge).toEqual(['data']);
    expect(edged.deployedAfter.service).toEqual(expect.arrayContaining(['data', 'edge']));
  });
});

describe('The API', () => {
  test('behind CloudFront gets all cross-origin headers of browsers, and no response is cached', () => {
    edged.edge?.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: {
        DefaultCacheBehavior: {
          AllowedMethods: ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'],
          // The ids are those of AWS's own policies: CachingDisabled; AllViewerExceptHostHeader, with Origin and all cookies.
          CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
          OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
        },
      },
    });
    expect(JSON.stringify(edged.edge?.toJSON())).not.toContain('ResponseHeadersPolicy');
  });

  test('behind CloudFront only responds on the origin host, and WAF counts by address and credential', () => {
    edged.service.hasResourceProperties('AWS::ApiGatewayV2::Api', { DisableExecuteApiEndpoint: true });
    edged.service.hasResourceProperties('AWS::ApiGatewayV2::DomainName', { DomainName: 'origin.api.example.com' });
    const [acl] = Object.values(edged.edge === undefined ? {} : findResources(edged.edge, 'AWS::WAFv2::WebACL'));
    const rules = acl?.Properties.Rules as { Name: string }[];
    expect(rules.map(({ Name }) => Name)).toEqual([
      'by-address',
      'by-credential',
      'AWSManagedRulesAmazonIpReputationList',
      'AWSManagedRulesKnownBadInputsRuleSet',
      'AWSManagedRulesCommonRuleSet',
    ]);
    edged.edge?.hasResourceProperties('AWS::CloudFront::Distribution', {
      DistributionConfig: { Aliases: ['api.example.com'] },
    });
    expect(JSON.stringify(edged.service.toJSON())).toContain('"GATEHOUSE_BASE_URL":"https://api.example.com"');
    expect(JSON.stringify(edged.service.toJSON())).toContain('"GATEHOUSE_REGISTRABLE_DOMAIN":"example.com"');
  });
});

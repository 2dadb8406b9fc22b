import { CfnOutput, Duration, Stack, type StackProps, Validations } from 'aws-cdk-lib';
import * as acm from 'aws-cdk-lib/aws-certificatemanager';
import * as cloudfront from 'aws-cdk-lib/aws-cloudfront';
import * as origins from 'aws-cdk-lib/aws-cloudfront-origins';
import * as wafv2 from 'aws-cdk-lib/aws-wafv2';
import type { Construct } from 'constructs';

import { EDGE_HEADER, PLACE_HEADER, VIEWER_HEADER } from '../../functions/kernel/http/edge.ts';
import { referenceEdgeSecret } from './edge-secret.ts';
import { named, pascal } from './names.ts';
import type { StageSettings } from './settings.ts';

/** Seconds over which WAF counts requests. */
const WINDOW_SECONDS = 300;

/**
 * Rules of AWS's common set that reject valid requests to this API, so they only count: URLs, markup and large bodies; a
 * `redirect_uri` with a loopback address (RFC 8252 section 7.3) and a long `state` in a query; names such as `app.ini` in a
 * path; and back ends whose HTTP client sends no User-Agent.
 */
const COUNTED_ONLY = [
  'SizeRestrictions_BODY',
  'EC2MetaDataSSRF_BODY',
  'GenericRFI_BODY',
  'GenericLFI_BODY',
  'CrossSiteScripting_BODY',
  'SizeRestrictions_QUERYSTRING',
  'GenericRFI_QUERYARGUMENTS',
  'RestrictedExtensions_URIPATH',
  'RestrictedExtensions_QUERYARGUMENTS',
  'NoUserAgent_HEADER',
];

/**
 * Rules of AWS's set of known bad inputs that inspect bodies, so they only count: an audit event may contain the request of
 * an attacker.
 */
const QUOTED_INPUTS = ['JavaDeserializationRCE_BODY', 'Log4JRCE_BODY', 'ReactJSRCE_BODY'];

/**
 * All error statuses, which CloudFront must not cache. It would cache them for ten seconds by path only, regardless of
 * cache policy and response: one caller's error would be sent to all callers, and a new record would not be found.
 */
const FORGOTTEN = [400, 403, 404, 405, 414, 416, 500, 501, 502, 503, 504];

/** Replaces any value that the viewer sent under the names. */
const VIEWER_CODE = `function handler(event) {
  var request = event.request;
  request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  delete request.headers['${PLACE_HEADER}'];
  return request;
}`;

/** The headers that CloudFront adds, whose values of the viewer it overwrites. */
const PLACE_SOURCES = ['CloudFront-Viewer-Country', 'CloudFront-Viewer-Latitude', 'CloudFront-Viewer-Longitude'];

/**
 * Like the code above, with the location of the viewer. CloudFront adds it only by a policy that sends `Host` too, which API
 * Gateway must not receive, so the function sets `Host` to the name of the origin.
 */
const makePlaceCode = (originDomain: string): string => `import cf from 'cloudfront';
function handler(event) {
  var request = event.request;
  var headers = request.headers;
  var place = [${PLACE_SOURCES.map((name) => `'${name.toLowerCase()}'`).join(', ')}].map(function (name) {
    return headers[name] ? headers[name].value : '';
  });
  headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  headers['${PLACE_HEADER}'] = { value: place.join(',') };
  cf.updateRequestOrigin({ hostHeader: '${originDomain}' });
  return request;
}`;

/** CloudFront with WAF in front of the API, in us-east-1, where AWS requires both. */
export class EdgeStack extends Stack {
  constructor(scope: Construct, id: string, settings: StageSettings, props: StackProps) {
    super(scope, id, { ...props, terminationProtection: settings.protect });
    const { domain, originDomain, edgeCertificateArn } = settings;
    if (domain === undefined || originDomain === undefined || edgeCertificateArn === undefined) {
      throw new Error('-c cloudfront needs -c domain, -c originDomain and -c edgeCertificateArn');
    }
    const acl = this.#addAcl(settings);
    const distribution = new cloudfront.Distribution(this, 'Distribution', {
      comment: named(settings.stage, 'edge'),
      domainNames: [domain],
      certificate: acm.Certificate.fromCertificateArn(this, 'Certificate', edgeCertificateArn),
      minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021,
      httpVersion: cloudfront.HttpVersion.HTTP2_AND_3,
      webAclId: acl.attrArn,
      errorResponses: FORGOTTEN.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
      defaultBehavior: {
        origin: new origins.HttpOrigin(originDomain, {
          protocolPolicy: cloudfront.OriginProtocolPolicy.HTTPS_ONLY,
          originSslProtocols: [cloudfront.OriginSslPolicy.TLS_V1_2],
          readTimeout: Duration.seconds(30),
          customHeaders: { [EDGE_HEADER]: referenceEdgeSecret(settings) },
        }),
        viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.HTTPS_ONLY,
        allowedMethods: cloudfront.AllowedMethods.ALLOW_ALL,
        cachePolicy: cloudfront.CachePolicy.CACHING_DISABLED,
        originRequestPolicy: this.#choosePolicy(settings),
        functionAssociations: [
          { function: this.#addViewerFunction(settings), eventType: cloudfront.FunctionEventType.VIEWER_REQUEST },
        ],
      },
    });
    Validations.of(distribution).acknowledge(
      { id: 'AwsSolutions-CFR1', reason: 'Which countries may call is decided by the operator of the service.' },
      { id: 'AwsSolutions-CFR3', reason: "Each request is in the API's own access log, without what may be secret." },
    );
    new CfnOutput(this, 'DistributionDomainName', {
      value: distribution.distributionDomainName,
      description: `Point a CNAME of ${domain} here.`,
    });
  }

  /**
   * Sends the viewer's address to the API. CloudFront's own header cannot be used: no origin request policy sends it
   * together with all viewer headers except `Host`, which API Gateway must not receive. In the value it is unambiguous
   * where a port begins.
   */
  #addViewerFunction({ stage, viewerPlace, originDomain = '' }: StageSettings): cloudfront.Function {
    return new cloudfront.Function(this, 'Viewer', {
      functionName: named(stage, 'viewer'),
      comment: "Passes the viewer's address to the API.",
      runtime: cloudfront.FunctionRuntime.JS_2_0,
      code: cloudfront.FunctionCode.fromInline(viewerPlace ? makePlaceCode(originDomain) : VIEWER_CODE),
    });
  }

  /** The headers of the viewer that the API gets: all but `Host`, or all with the location. */
  #choosePolicy({ stage, viewerPlace }: StageSettings): cloudfront.IOriginRequestPolicy {
    if (!viewerPlace) return cloudfront.OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER;
    return new cloudfront.OriginRequestPolicy(this, 'ViewerPlace', {
      originRequestPolicyName: named(stage, 'viewer-place'),
      headerBehavior: cloudfront.OriginRequestHeaderBehavior.all(...PLACE_SOURCES),
      cookieBehavior: cloudfront.OriginRequestCookieBehavior.all(),
      queryStringBehavior: cloudfront.OriginRequestQueryStringBehavior.all(),
    });
  }

  #addAcl({ stage, edgeRateLimit: limit }: StageSettings): wafv2.CfnWebACL {
    const measured = (metricName: string): wafv2.CfnWebACL.VisibilityConfigProperty => ({
      cloudWatchMetricsEnabled: true,
      sampledRequestsEnabled: false,
      metricName,
    });
    const rate = (name: string, statement: Omit<wafv2.CfnWebACL.RateBasedStatementProperty, 'limit'>) => ({
      name,
      statement: { rateBasedStatement: { limit, evaluationWindowSec: WINDOW_SECONDS, ...statement } },
      action: {
        block: { customResponse: { responseCode: 429, responseHeaders: [{ name: 'retry-after', value: '60' }] } },
      },
    });
    const managed = (name: string, countedOnly: readonly string[] = []) => ({
      name,
      statement: {
        managedRuleGroupStatement: {
          vendorName: 'AWS',
          name,
          ruleActionOverrides: countedOnly.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
        },
      },
      overrideAction: { none: {} },
    });
    const rules = [
      rate('by-address', { aggregateKeyType: 'IP' }),
      rate('by-credential', {
        aggregateKeyType: 'CUSTOM_KEYS',
        customKeys: [{ header: { name: 'authorization', textTransformations: [{ priority: 0, type: 'NONE' }] } }],
      }),
      managed('AWSManagedRulesAmazonIpReputationList'),
      managed('AWSManagedRulesKnownBadInputsRuleSet', QUOTED_INPUTS),
      managed('AWSManagedRulesCommonRuleSet', COUNTED_ONLY),
    ];
    return new wafv2.CfnWebACL(this, 'Acl', {
      name: named(stage, 'edge'),
      scope: 'CLOUDFRONT',
      defaultAction: { allow: {} },
      visibilityConfig: measured('all'),
      rules: rules.map((rule, priority) => ({ ...rule, priority, visibilityConfig: measured(pascal(rule.name)) })),
    });
  }
}

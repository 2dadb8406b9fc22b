import { Aws, CfnCondition, CustomResource, Fn, type Stack, Validations } from 'aws-cdk-lib';
import * as iam from 'aws-cdk-lib/aws-iam';
import type * as lambda from 'aws-cdk-lib/aws-lambda';
import type * as logs from 'aws-cdk-lib/aws-logs';
import * as secretsmanager from 'aws-cdk-lib/aws-secretsmanager';
import { Provider } from 'aws-cdk-lib/custom-resources';

import { edgeDigestsFunction } from './edge-digests-function.ts';
import type { FunctionFactory } from './functions.ts';
import { logGrant } from './grants.ts';
import { named } from './names.ts';
import type { StageSettings } from './settings.ts';

/** The region of CloudFront and its WAF. */
export const EDGE_REGION = 'us-east-1';

/** Length of a secret, far too long to guess; CloudFront accepts header values of up to 1,783 characters. */
const SECRET_CHARACTERS = 64;

/**
 * The secrets of a stage: the one that CloudFront sends, the next one, which the functions already accept, so that no
 * call is rejected during a rotation, and the previous one, for a rollback.
 */
const listGenerations = (edgeSecret: number): number[] =>
  [edgeSecret - 1, edgeSecret, edgeSecret + 1].filter((generation) => generation > 0);

const secretName = (stage: string, generation: number): string => named(stage, `edge-${generation}`);

/** The value that CloudFront sends, as a dynamic reference of CloudFormation in the region of CloudFront. */
export const referenceEdgeSecret = ({ stage, edgeSecret }: StageSettings): string =>
  // The value is in no template, because CloudFormation resolves the reference.
  `{{resolve:secretsmanager:${secretName(stage, edgeSecret)}:SecretString}}`;

/**
 * Adds the secrets of a stage, each with a replica in the region of CloudFront. Secrets Manager deletes no secret that has a
 * replica; the README says how to remove it before a deployment that deletes the secret.
 */
export function addEdgeSecrets(
  stack: Stack,
  { stage, edgeSecret }: StageSettings,
): { generation: number; arn: string }[] {
  const isApart = new CfnCondition(stack, 'EdgeIsApart', {
    expression: Fn.conditionNot(Fn.conditionEquals(Aws.REGION, EDGE_REGION)),
  });
  return listGenerations(edgeSecret).map((generation) => {
    const secret = new secretsmanager.Secret(stack, `EdgeSecret${generation}`, {
      // CloudFormation finds the replica of the secret by its name.
      secretName: secretName(stage, generation),
      description: `CloudFront of Gatehouse ${stage} proves itself by it. Followed by another with -c edgeSecret.`,
      generateSecretString: { passwordLength: SECRET_CHARACTERS, excludePunctuation: true, includeSpace: false },
    });
    (secret.node.defaultChild as secretsmanager.CfnSecret).addPropertyOverride(
      'ReplicaRegions',
      Fn.conditionIf(isApart.logicalId, [{ Region: EDGE_REGION }], Aws.NO_VALUE),
    );
    Validations.of(secret).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'CloudFront only takes another in a deployment: -c edgeSecret.',
    });
    return { generation, arn: secret.secretArn };
  });
}

/** The resources that {@link addEdgeDigests} needs. */
export interface EdgeContext {
  settings: StageSettings;
  functions: FunctionFactory;
  logGroup: logs.LogGroup;
  /** ARN of the secret of a generation. */
  secretOf: (generation: number) => string;
}

/**
 * Adds the function that computes the digests of the accepted secrets. Functions get only digests, so that read access
 * to a function's configuration does not reveal the secret.
 * @returns the digests, separated by commas
 */
export function addEdgeDigests(stack: Stack, { settings, functions, logGroup, secretOf }: EdgeContext): string {
  const accepted = [settings.edgeSecret, settings.edgeSecret + 1];
  const arns = accepted.map(secretOf);
  const { fn } = functions.add(edgeDigestsFunction, [
    new iam.PolicyStatement({ actions: ['secretsmanager:GetSecretValue'], resources: arns }),
  ]);
  const provider = new Provider(stack, 'EdgeDigestsProvider', {
    onEventHandler: fn,
    logGroup,
    frameworkOnEventRole: frameworkRole(stack, fn, logGroup),
  });
  // The name contains the generation: CloudFormation runs the function again only if its properties change.
  const digests = new CustomResource(stack, `EdgeDigests${settings.edgeSecret}`, {
    resourceType: 'Custom::EdgeDigests',
    serviceToken: provider.serviceToken,
    properties: { secrets: arns },
  });
  return digests.getAttString('digests');
}

/** The provider between CloudFormation and the function may call it, and write its log. */
function frameworkRole(stack: Stack, fn: lambda.Function, logGroup: logs.LogGroup): iam.IRole {
  return new iam.Role(stack, 'EdgeDigestsProviderRole', {
    assumedBy: new iam.ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: {
      needs: new iam.PolicyDocument({
        statements: [
          logGrant(logGroup),
          new iam.PolicyStatement({
            actions: ['lambda:InvokeFunction', 'lambda:GetFunction'],
            resources: [fn.functionArn],
          }),
        ],
      }),
    },
  }).withoutPolicyUpdates();
}

import { Aws } from 'aws-cdk-lib';

/** Alias that every caller of a function uses; a deployment moves it. */
export const ALIAS = 'live';

/** Maximum length of a function's name in Lambda. */
const LONGEST_FUNCTION_NAME = 64;

/** The physical name of a part of a stage, by which commands of this project find tables. */
export const named = (stage: string, part: string): string => `gatehouse-${stage}-${part}`;

/**
 * The physical name of a function.
 * @throws Error for a name that Lambda would not accept
 */
export function makeFunctionName(stage: string, name: string): string {
  const full = named(stage, name);
  if (full.length > LONGEST_FUNCTION_NAME)
    throw new Error(`${full} is longer than ${LONGEST_FUNCTION_NAME} characters`);
  return full;
}

/**
 * The ARN of a function's alias, composed of names only: the API refers to its functions and functions to their API, so CDK
 * references would be circular.
 */
export const makeAliasArn = (stage: string, name: string): string =>
  arnOf('lambda', `function:${makeFunctionName(stage, name)}:${ALIAS}`);

/** The name of a stage's event bus. */
export const busNameOf = (stage: string): string => `gatehouse-${stage}`;

/** The configuration set of SES for a stage's mail. */
export const makeMailSet = (stage: string): string => named(stage, 'mail');

/** The log group of all functions of a stage. */
export const logGroupNameOf = (stage: string): string => `/gatehouse/${stage}`;

/** The ARN of a resource in this account and region, from its service and its name. */
export const arnOf = (service: string, name: string): string =>
  `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${name}`;

/** A construct id from a name in kebab case. */
export const pascal = (name: string): string =>
  name
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

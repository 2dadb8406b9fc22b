import { readUlid } from '../id-format.ts';

/** An environment and its public client id have the same ULID, so each can be derived from the other. */
export const environmentIdOf = (ulid: string): string => `environment_${ulid}`;
export const makeClientId = (environmentId: string): string => `client_${readUlid(environmentId)}`;

/**
 * The built-in environment of a stage whose users are the operators of the console. Its id is the same in every stage, so
 * that it exists once and is found without a read. It has no API key: `makeCaller` accepts none of it.
 */
const ULID = '00000000000000000000000001';

export const OPERATORS_ENVIRONMENT_ID = `environment_${ULID}`;

/** The only organization of the environment of the operators, of which every operator is a member. */
export const OPERATORS_ORGANIZATION_ID = `org_${ULID}`;

/** The resource type of the stage's environments, on which operators have roles; the external id is the environment's id. */
export const ENVIRONMENT_TYPE = 'environment';

/** True for the environment of the operators. */
export const isOperatorsEnvironment = (environmentId: string): boolean => environmentId === OPERATORS_ENVIRONMENT_ID;

/**
 * Replaces `@aws-sdk/credential-provider-node` in the bundles. Lambda always puts a role's credentials in the
 * environment, so the package's chain of profiles, sign-ins and metadata services (some 130 KB) is never used.
 */
interface Credentials {
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken?: string;
  /** The SDK refreshes credentials after this time; a function instance never outlives its credentials. */
  expiration?: Date;
}

/**
 * The provider under the name that the SDK's clients import.
 * @returns a function that reads the credentials of this process, once: each variable of the environment is a call of the system,
 * and the SDK asks twice for each of its calls
 */
export const defaultProvider = (): (() => Promise<Credentials>) => {
  let credentials: Credentials | undefined;
  return async () => (credentials ??= readCredentials());
};

function readCredentials(): Credentials {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = process.env;
  if (AWS_ACCESS_KEY_ID === undefined || AWS_SECRET_ACCESS_KEY === undefined) {
    throw new Error('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set: this bundle only runs on Lambda.');
  }
  return {
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
    ...(AWS_SESSION_TOKEN === undefined ? {} : { sessionToken: AWS_SESSION_TOKEN }),
  };
}

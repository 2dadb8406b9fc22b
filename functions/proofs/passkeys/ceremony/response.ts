import * as z from 'zod';

/** Maximum characters of an authenticator's response as a page sends it: JSON in a field of a form. */
export const MAX_RESPONSE = 16_384;

const base64url = z.string().regex(/^[A-Za-z0-9_-]*$/);

const credential = {
  id: base64url.min(1).max(1_364),
  rawId: base64url.max(1_364),
  type: z.literal('public-key'),
};

/** The response to `navigator.credentials.get()`, as `PublicKeyCredential.toJSON()` writes it. */
const AuthenticationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.min(1),
    authenticatorData: base64url.min(1),
    signature: base64url.min(1),
    userHandle: base64url.max(88).nullish(),
  }),
});

/** The response to `navigator.credentials.create()`, also as `toJSON()` writes it. */
const RegistrationResponse = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url.min(1),
    attestationObject: base64url.min(1),
    transports: z.array(z.string().max(32)).max(10).nullish(),
  }),
});

export type AuthenticationResponse = z.output<typeof AuthenticationResponse>;
export type RegistrationResponse = z.output<typeof RegistrationResponse>;

const ClientData = z.object({ challenge: z.string().min(1).max(200) });

/** A response with the challenge that it claims to have signed. */
export interface Challenged<R> {
  response: R;
  challenge: string;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function read<R extends { response: { clientDataJSON: string } }>(
  schema: z.ZodType<R>,
  text: string,
): Challenged<R> | undefined {
  if (text.length > MAX_RESPONSE) return undefined;
  const parsed = schema.safeParse(readJson(text));
  if (!parsed.success) return undefined;
  const clientData = Buffer.from(parsed.data.response.clientDataJSON, 'base64url').toString('utf8');
  const claimed = ClientData.safeParse(readJson(clientData));
  return claimed.success ? { response: parsed.data, challenge: claimed.data.challenge } : undefined;
}

/** Reads the response to a sign-in. Returns undefined for a text of another form. */
export const readAuthentication = (text: string): Challenged<AuthenticationResponse> | undefined =>
  read(AuthenticationResponse, text);

/** Reads the response to an enrolment. Returns undefined for a text of another form. */
export const readRegistration = (text: string): Challenged<RegistrationResponse> | undefined =>
  read(RegistrationResponse, text);

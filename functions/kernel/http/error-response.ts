import { type DeclaredError, type ErrorStatus, type Failure, general, type Issue } from '../errors.ts';

/** The format of an area's error responses. The contract has four, and SCIM has its own. */
export interface ErrorForm {
  name: 'message' | 'error' | 'oauth' | 'scim';
  /** The media type of all JSON responses of its operations; `application/json` if absent. */
  mediaType?: string;
  /** The status for input that does not match its schema. */
  invalidStatus: Extract<ErrorStatus, 400 | 422>;
  /**
   * The format for a body that cannot be parsed: `oauth` for that format, whatever the format of other errors;
   * `bad_request` if the contract has that code for it instead of `invalid_request`.
   */
  malformed?: 'oauth' | 'bad_request';
  /** Returns the error as a page, for a request of a browser (it accepts `text/html`); absent if there is no page. */
  page?: (
    failure: Failure,
    asking: { headers: Readonly<Record<string, string | undefined>>; requestId: string },
  ) => Promise<Page>;
}

/** A complete page with its headers. */
export interface Page {
  body: string;
  headers: Record<string, string>;
}

/**
 * The format {message, code, errors?}, which contains the members of every {message}, {code, message} and field-validation
 * body.
 */
export const messages: ErrorForm = { name: 'message', invalidStatus: 422 };
/** The format of {@link messages}, for contracts that reject invalid input with 400. */
export const messagesWith400: ErrorForm = { name: 'message', invalidStatus: 400 };
/** The format of {@link messages}, for contracts with `bad_request` as the general code of a 400. */
export const messagesWithBadRequest: ErrorForm = { ...messages, malformed: 'bad_request' };
/** The format {error}, which the vault uses. */
export const bareErrorForm: ErrorForm = { name: 'error', invalidStatus: 400 };
/** The format {error, error_description} of RFC 6749 section 5.2. */
export const oauthErrors: ErrorForm = { name: 'oauth', invalidStatus: 400 };

/**
 * The format {schemas, status, scimType?, detail} of RFC 7644 section 3.12. The code of an error with 400 or 409 is its
 * `scimType`.
 */
export const scimErrors: ErrorForm = { name: 'scim', invalidStatus: 400, mediaType: 'application/scim+json' };

export const SCIM_ERROR_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

export interface ErrorResponse {
  status: number;
  /** The body as JSON: an object, or a text for errors that are a text. */
  body: unknown;
  headers: Record<string, string>;
}

/** The response for a failure, in the format of its operation. */
export function errorResponse(failure: Failure, form: ErrorForm): ErrorResponse {
  const { details, message } = failure;
  const declared = inForm(failure.declared, form);
  const text = details.issues === undefined ? message : `${message} ${sentence(details.issues)}`;
  const headers: Record<string, string> = {
    ...details.headers,
    ...(details.retryAfter === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil(details.retryAfter))) }),
  };
  return {
    status: declared.status,
    body:
      declared.form === 'text'
        ? declared.code
        : { ...errorBody(declared, text, form, details.issues), ...details.members },
    headers,
  };
}

/**
 * A kernel error in an error format, each of which has its own status of invalid input. OAuth and SCIM have their own codes for invalid input, and some operations report a
 * body that cannot be parsed with another code.
 */
export function inForm(declared: DeclaredError, { name, malformed, invalidStatus }: ErrorForm): DeclaredError {
  const { code } = general.malformedBody;
  const error = declared === general.invalidParameters ? { ...declared, status: invalidStatus } : declared;
  if (name === 'scim' && error.status === 400) {
    if (error.code === general.invalidParameters.code) return { ...error, code: 'invalidValue' };
    return error.code === code ? { ...error, code: 'invalidSyntax' } : error;
  }
  if (name === 'oauth' && error.code === general.invalidParameters.code) return { ...error, code };
  if (malformed === undefined || error.code !== code || error.status !== 400) return error;
  return malformed === 'oauth' ? { ...error, form: malformed } : { ...error, code: malformed };
}

function errorBody(
  declared: DeclaredError,
  text: string,
  form: ErrorForm,
  issues: readonly Issue[] | undefined,
): Record<string, unknown> {
  if (declared.form === 'oauth' || form.name === 'oauth') return { error: declared.code, error_description: text };
  if (form.name === 'error') return { error: text };
  if (form.name === 'scim') {
    const { status, code } = declared;
    const type = status === 400 || status === 409 ? { scimType: code } : {};
    return { schemas: [SCIM_ERROR_SCHEMA], status: String(status), ...type, detail: text };
  }
  return { code: declared.code, message: text, ...(issues === undefined ? {} : { errors: issues }) };
}

/** Joins the issues to one sentence, because some clients show only the message. */
function sentence(issues: readonly Issue[]): string {
  const named = issues.slice(0, 3).map(({ field, message }) => (field === '' ? message : `${field}: ${message}`));
  return named.join('; ') + (issues.length > 3 ? ` (and ${issues.length - 3} more)` : '');
}

import type { OpenApiDocument } from '../document/format.ts';
import type { JsonSchema } from '../document/format.ts';
import { type Described, readNavigation } from '../navigation/navigation.ts';
import { follower } from './schema.ts';

/** One error of an operation. */
export interface OperationError {
  status: string;
  code: string;
  message: string;
}

/** An error code with all operations that respond with it. */
export interface ErrorCode {
  code: string;
  statuses: readonly string[];
  /** The messages of the error code, each with a status and the operations that use both, in the order of the navigation. */
  messages: readonly { status: string; message: string; operations: readonly Described[] }[];
}

/** The errors of an operation, as the descriptions of its responses list them. */
export function listErrors(operation: JsonSchema, follow: (node: JsonSchema) => JsonSchema): OperationError[] {
  const responses = Object.entries((operation.responses ?? {}) as Record<string, JsonSchema>);
  return responses
    .filter(([status]) => /^[45]/.test(status))
    .flatMap(([status, response]) =>
      [...String(follow(response).description).matchAll(/^- `([^`]+)`: (.*)$/gm)].map(
        ([, code = '', message = '']) => ({
          status,
          code,
          message,
        }),
      ),
    );
}

const known = new WeakMap<OpenApiDocument, ReadonlyMap<string, ErrorCode>>();

/** All error codes of a document by their names, sorted. */
export function listErrorCodes(document: OpenApiDocument): ReadonlyMap<string, ErrorCode> {
  const found = known.get(document) ?? makeErrorCodes(document);
  known.set(document, found);
  return found;
}

function makeErrorCodes(document: OpenApiDocument): ReadonlyMap<string, ErrorCode> {
  const follow = follower(document.components);
  const inOrder = readNavigation(document).sections.flatMap(({ resources }) =>
    resources.flatMap(({ operations }) => operations),
  );
  const all = inOrder.flatMap((described) =>
    listErrors(described.operation, follow).map((error) => ({ ...error, described })),
  );
  const byCode = Map.groupBy(all, ({ code }) => code);
  const codes = [...byCode].map(([code, uses]): [string, ErrorCode] => [
    code,
    {
      code,
      statuses: [...new Set(uses.map(({ status }) => status))].sort(),
      messages: [...Map.groupBy(uses, ({ status, message }) => `${status} ${message}`).values()].map((own) => ({
        status: own[0]?.status ?? '',
        message: own[0]?.message ?? '',
        operations: own.map(({ described }) => described),
      })),
    },
  ]);
  return new Map(codes.sort(([one], [other]) => one.localeCompare(other)));
}

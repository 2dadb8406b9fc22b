/** The types of the parts of css-tree that check style rules; its parser needs none of the tables of the whole package. */
declare module 'css-tree/parser' {
  export interface CssNode {
    type: string;
    loc?: { start: { line: number } } | null;
    children?: Iterable<CssNode> | null;
    /** The name of an at-rule or a function. */
    name?: string;
    prelude?: CssNode | null;
    block?: CssNode | null;
    /** The members of a declaration. */
    property?: string;
    important?: boolean | string;
    value?: CssNode;
  }
  interface ParseOptions {
    positions: true;
    onParseError: (error: { message: string; line?: number }) => void;
  }
  export default function parse(text: string, options: ParseOptions): CssNode;
}

declare module 'css-tree/generator' {
  import type { CssNode } from 'css-tree/parser';
  /** Writes a node as text, without comments and optional blanks. */
  export default function generate(node: CssNode): string;
}

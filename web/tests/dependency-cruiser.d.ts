// The contract of the layers, a CommonJS file without types.

declare module "*/.dependency-cruiser.cjs" {
  import type { ICruiseOptions, IForbiddenRuleType } from "dependency-cruiser";
  const config: { readonly forbidden: IForbiddenRuleType[]; readonly options: ICruiseOptions };
  export default config;
}

// The package: the board element and the plain values it shows.

export { type BoardEvents, SumitoBoard } from "../../src/board/element";
export {
  type Attempt,
  apply,
  type Colour,
  type Effect,
  EMPTY_VIEW,
  type Marbles,
  readMarbles,
  type View,
} from "../../src/board/state";

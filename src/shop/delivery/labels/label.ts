import { transitions } from "#kit/transitions.ts";

/**
 * States of a file of labels. `waiting`: to be requested; `asked`: requested from the carrier; `failed`: refused by the carrier;
 * `expired`: the bytes of a ready file were deleted. A requested file that the carrier loses is requested again.
 */
export const labelStates = transitions({
  waiting: { ask: "asked", refuse: "failed" },
  asked: { receive: "ready", lose: "waiting", refuse: "failed" },
  ready: { expire: "expired" },
  failed: {},
  expired: {},
});
export type LabelState = keyof typeof labelStates;

/** Labels of one parcel, or of several in one PDF, without the bytes. */
export type LabelFile = {
  id: number;
  orderIds: string[];
  state: LabelState;
  /** Why there is no label: the state of a parcel, or the carrier's code. */
  fault: string | null;
  readyAt: Date | null;
  /** When the bytes of a ready file are deleted. */
  expiresAt: Date | null;
};

export type LabelError =
  | { code: "label.no_parcel" }
  /** More parcels than the carrier prints at once. */
  | { code: "label.too_many"; limit: number };

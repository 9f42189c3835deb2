import { describe, expect, it } from "vitest";
import { bytes, count, duration, groupName, milliseconds, share, utc } from "./format";

describe("format", () => {
  it("shows what is missing as a dash and zero as zero", () => {
    expect(count(null)).toBe("–");
    expect(count(0)).toBe("0");
    expect(milliseconds(null)).toBe("–");
    expect(milliseconds(0)).toBe("0 ms");
    expect(share(null)).toBe("–");
    expect(share(0)).toBe("0.0 %");
  });

  it("groups thousands", () => {
    expect(count(1805)).toBe("1,805");
    expect(milliseconds(4217142)).toBe("4,217,142 ms");
  });

  it("rounds a share, but never to nothing or to all", () => {
    expect(share(1395 / 1805)).toBe("77.3 %");
    expect(share(1)).toBe("100.0 %");
    expect(share(1 / 100000)).toBe("< 0.1 %");
    expect(share(99999 / 100000)).toBe("> 99.9 %");
    expect(share(0.9994)).toBe("99.9 %");
  });

  it("tells sizes and spans in units", () => {
    expect(bytes(0)).toBe("0 B");
    expect(bytes(1023)).toBe("1023 B");
    expect(bytes(1536)).toBe("1.5 KiB");
    expect(duration(0)).toBe("0 s");
    expect(duration(60)).toBe("1 min");
    expect(duration(86400 + 7200 + 60)).toBe("1 d 2 h");
  });

  it("tells times in UTC wherever the reader is", () => {
    expect(utc("2026-11-30T11:48:14.830+02:00")).toBe("2026-11-30 09:48:14");
    expect(utc("2026-11-30T09:48:00Z", false)).toBe("2026-11-30 09:48");
  });

  it("keeps none, empty, yes and no apart", () => {
    expect(groupName(null)).toBe("(none)");
    expect(groupName("")).toBe("(empty)");
    expect(groupName(true)).toBe("yes");
    expect(groupName("yes")).toBe("yes");
  });
});

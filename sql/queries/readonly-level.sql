-- Whether the user may only read (1), may read and change settings (2), or is not held back (0).
SELECT toInt64(getSetting('readonly')) AS readonly_level

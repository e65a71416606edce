"""Tests of Umaoka; they mirror the code."""

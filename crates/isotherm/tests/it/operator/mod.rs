mod gram;
